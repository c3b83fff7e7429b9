"""What the web edges of both programs share: start and stop, problem documents, logs, metrics, TLS."""
