"""Promotional prizes: the last rule of each book (CSP 17, TCP 15, FCP 15, WAR 14, SIC 10).

A promotion is a document (``documents``); ``checking.check`` says what in it is against a rule, what is still to be
done, and what a person should look at. The books differ by the rows of ``books`` alone.
"""
