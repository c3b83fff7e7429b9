"""What the web edges of both programs share: start and stop, middleware, problem documents, logs, metrics, assets.

Knows nothing of links, money or tables, and never loads a database driver: a table agent serves its console through it.
"""
