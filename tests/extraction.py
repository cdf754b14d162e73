"""The texts of the code, for Babel: those given to `gettext` or marked by `N_`, and in tables.

A table is marked by its type, `Translated`: each text in it is one, but keys are not, nor what has
no word in it.
"""

import ast
import re
from collections.abc import Iterator
from typing import BinaryIO

PLACEHOLDER = re.compile(r"%\((\w+)\)s|\{(\w+)\}")
Found = tuple[int, str, object, list[str]]


def extract(file: BinaryIO, *_: object, **__: object) -> Iterator[Found]:
    """Yield each text of a file as Babel wants it: line, function, one form or two, comments."""
    for node in ast.walk(ast.parse(file.read())):
        match node:
            case ast.Call(
                func=ast.Name(id="_" | "N_" | "gettext") | ast.Attribute(attr="gettext"),
                args=[ast.Constant(value=str(text)), *_],
            ):
                yield node.lineno, "gettext", text, []
            case ast.Call(
                func=ast.Attribute(attr="ngettext"),
                args=[ast.Constant(value=one), ast.Constant(value=many), *_],
            ):
                yield node.lineno, "ngettext", (one, many), []
            case ast.AnnAssign(
                annotation=ast.Subscript(value=ast.Name(id="Translated")), value=ast.expr() as table
            ):
                yield from ((line, "gettext", text, []) for line, text in texts_in(table))


def texts_in(node: ast.expr) -> Iterator[tuple[int, str]]:
    """Yield the texts of a table, of its rows and of tables within it, each with its line."""
    match node:
        case ast.Constant(value=str(text)) if re.search(r"[^\W\d_]", PLACEHOLDER.sub("", text)):
            yield node.lineno, text
        case ast.Dict(values=within) | ast.Tuple(elts=within):
            yield from (found for each in within for found in texts_in(each))
        case ast.Call(args=within, keywords=named):
            within = [*within, *(each.value for each in named)]
            yield from (found for each in within for found in texts_in(each))
