"""The jackpot server: owns the money of the linked prize pools.

Imports nothing, so that a table which needs only the wire protocol never loads a database driver.
"""
