"""What a server that runs on through an upgrade says nothing of: the falls of a pool."""

from pathlib import Path

from alembic import op

revision = "r0005"
down_revision = "r0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Run the statements beside this file, on the raw connection and inside the transaction that is under way."""
    statements = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    op.get_bind().connection.run_async(lambda raw: raw.execute(statements))


def downgrade() -> None:
    """Refuse: what is written for ever has no way back but a restore."""
    raise RuntimeError("the ledger has no way back but a restore")
