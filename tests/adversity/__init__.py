"""The real programs, broken while tables play: each fault ends with an audit and a comparison by id."""
