-- schema_revision: the last migration a database has had.
SELECT version_num FROM alembic_version
