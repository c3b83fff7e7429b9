"""The command line of the jackpot server, one module for each group of commands."""
