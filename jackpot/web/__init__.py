"""The web edge of the jackpot server: tables over WebSockets, boards over server-sent events, health and metrics.

Translation only: what a message means is decided in `jackpot.core`, what is shown was read back from Redis.
"""
