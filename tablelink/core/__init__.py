"""What a table decides: the dealing, the outbox, the mirror of the meters. Pure; knows no disk and no network."""
