"""Amounts as people read them. Knows no wager."""


def money(cents: int) -> str:
    """An amount as people read it.

    >>> money(1234567), money(-50)
    ('$12,345.67', '-$0.50')
    """
    dollars, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${dollars:,}.{rest:02}"
