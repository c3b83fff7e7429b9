"""The web edge of the jackpot server: tables over WebSockets, boards over server-sent events, the office."""
