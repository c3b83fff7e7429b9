"""The table agent: knows the rules, takes the input of dealer and sensors, keeps its own durable spool.

Imports nothing.
"""
