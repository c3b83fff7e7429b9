"""The Postgres edge: posts what the core decided, reads it back, proves it again."""
