"""The protocol between a table and the server, version 1."""
