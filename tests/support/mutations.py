"""A module's text with one line replaced by a raise: what a clause's test must notice.

In a function the statement that holds the line becomes a raise; a class without such a line cannot be made. In a table
the entry that holds it becomes a value that raises whatever is done with it; where the module could then not even be
imported, the entry is taken out instead.
"""

import ast
from collections.abc import Iterator

from tests.support.coverage import Definition, Row, line_meant
from tests.support.sources import Source

RAISED = "this clause was taken away"
"""What a mutated line says when it is reached."""

_RAISE = ast.parse(f"raise RuntimeError({RAISED!r})").body[0]

_LANDMINE = ast.parse(
    f"""
class _Mutated:
    def _raise(self, *_, **__):
        raise RuntimeError({RAISED!r})
    __getattribute__ = __call__ = __iter__ = __getitem__ = __len__ = __contains__ = __bool__ = __str__ = _raise
    __repr__ = __format__ = __hash__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __int__ = _raise
    __index__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __neg__ = _raise
    __and__ = __rand__ = __or__ = __ror__ = __enter__ = __exit__ = _raise
"""
).body[0]

_NOT_MADE = ast.parse(f"def __new__(cls, *_, **__):\n    raise RuntimeError({RAISED!r})").body[0]

_Compound = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match, ast.FunctionDef, ast.ClassDef)


def mutated(source: Source, row: Row, *, taken_out: bool = False) -> str:
    """The file's text without the line a row means.

    With ``taken_out`` a table's entry is left out instead of raising. Raises ``LookupError`` where there is no such
    line, or it is no statement and no entry of a table.
    """
    tree = ast.parse(source.text)
    found, line = line_meant(source, row)
    here = _same(tree, found)
    if isinstance(here, ast.Assign | ast.AnnAssign):
        _mutate_table(tree, here, line, taken_out=taken_out)
    elif isinstance(here, ast.ClassDef) and line is None:
        here.body.append(_NOT_MADE)
    else:
        statement = _statement(here, line)
        if isinstance(here, ast.ClassDef) and isinstance(statement, ast.Assign | ast.AnnAssign):
            _mutate_table(tree, statement, line, taken_out=taken_out)
        else:
            _replace_statement(here, statement)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _same(tree: ast.Module, found: Definition) -> Definition:
    """The node of a fresh tree that stands where another tree's does."""
    for node in ast.walk(tree):
        if isinstance(node, type(found)) and (node.lineno, node.col_offset) == (found.lineno, found.col_offset):
            return node
    raise LookupError(f"nothing at line {found.lineno}")


def _statement(definition: ast.AST, line: int | None) -> ast.stmt:
    """The smallest statement that holds a line, or the first after the docstring; after a header, the one below it."""
    inner = sorted(
        (node for node in ast.walk(definition) if isinstance(node, ast.stmt) and node is not definition),
        key=lambda node: (node.lineno, node.col_offset),
    )
    if line is None:
        return _first(definition)
    holding = [node for node in inner if node.lineno <= line <= (node.end_lineno or node.lineno)]
    smallest = holding[-1] if holding else None
    if smallest is None or (isinstance(smallest, _Compound) and not _in_header(smallest, line)):
        after = [node for node in inner if node.lineno > line and not _is_docstring(node)]
        return after[0] if after else _first(definition)
    if isinstance(smallest, ast.FunctionDef):
        return _first(smallest)
    return smallest


def _in_header(node: ast.stmt, line: int) -> bool:
    below = node.cases[0].pattern.lineno if isinstance(node, ast.Match) else node.body[0].lineno  # type: ignore[attr-defined]
    return line < int(below) or line == node.lineno


def _first(definition: ast.AST) -> ast.stmt:
    body: list[ast.stmt] = getattr(definition, "body", [])
    for node in body:
        if not _is_docstring(node):
            return node
    raise LookupError("nothing but a docstring")


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _replace_statement(definition: ast.AST, statement: ast.stmt) -> None:
    """A raise in a statement's place; what is left below a generator's raise keeps it a generator."""
    for parent in ast.walk(definition):
        for _, block in ast.iter_fields(parent):
            if isinstance(block, list) and statement in block:
                place = block.index(statement)
                block[place : place + 1] = [_RAISE, statement] if _yields(statement) else [_RAISE]
                return
    raise LookupError("a statement in no block")


def _yields(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(statement))


def _mutate_table(tree: ast.Module, table: ast.Assign | ast.AnnAssign, line: int | None, *, taken_out: bool) -> None:
    """A table whose entry at a line raises, or is not there; of a single value that value."""
    value = table.value
    if value is None:
        raise LookupError("a table without a value")
    entry = None if line is None else _entry(value, line)
    if taken_out:
        if entry is None:
            raise LookupError("a single value cannot be taken out")
        holder, place = entry
        _take_out(holder, place)
        return
    mine = ast.Call(ast.Name("_Mutated", ast.Load()), [], [])
    if entry is None:
        table.value = mine
    else:
        holder, place = entry
        _put(holder, place, mine)
    after_future = [
        place + 1
        for place, node in enumerate(tree.body)
        if _is_docstring(node) or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    ]
    tree.body.insert(max(after_future[:2], default=0), _LANDMINE)


Collection = ast.Dict | ast.Tuple | ast.List | ast.Set | ast.Call
"""What has entries: a call those it names, as a row of a table is often made."""


def _values(holder: Collection) -> list[ast.expr]:
    match holder:
        case ast.Dict():
            return holder.values
        case ast.Call():
            return [keyword.value for keyword in holder.keywords]
        case _:
            return holder.elts


def _put(holder: Collection, place: int, value: ast.expr) -> None:
    match holder:
        case ast.Dict():
            holder.values[place] = value
        case ast.Call():
            holder.keywords[place].value = value
        case _:
            holder.elts[place] = value


def _entry(value: ast.expr, line: int) -> tuple[Collection, int] | None:
    """The collection with the largest entry that begins on a line, or the smallest that holds it, and its place."""
    found: tuple[Collection, int] | None = None
    for holder in _collections(value):
        values = _values(holder)
        keys = holder.keys if isinstance(holder, ast.Dict) else values
        for place, (key, each) in enumerate(zip(keys, values, strict=True)):
            first = each.lineno if key is None else key.lineno
            if first <= line <= (each.end_lineno or each.lineno):
                if found is not None and _values(found[0])[found[1]].lineno == line:
                    return found
                found = holder, place
    return found


def _collections(value: ast.expr) -> Iterator[Collection]:
    """The collections in a value, the outer ones first."""
    for node in ast.walk(value):
        if isinstance(node, ast.Dict | ast.Tuple | ast.List | ast.Set | ast.Call):
            yield node


def _take_out(holder: Collection, place: int) -> None:
    if isinstance(holder, ast.Dict):
        del holder.keys[place]
        del holder.values[place]
    elif isinstance(holder, ast.Call):
        del holder.keywords[place]
    else:
        del holder.elts[place]
