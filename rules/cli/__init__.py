"""The commands of ``python -m rules``, one module each: ``add`` declares its arguments, ``run`` does it.

The edge of ``rules``: only here and in ``records`` are files opened, JSON written and progress shown.
"""
