"""Short functions that are written into the code of those that call them.

A small operator costs little more than its dispatch, and one more call of Python takes a share of
that. `expand` compiles a function again in which calls of functions marked by `inline` are replaced
by the lines of these, and functions marked by `public_call` have its handler inside instead of
around them. So what all dispatch needs stands once, as plain code that tools read, and costs no
call.

A function is expanded once, where it is defined: functions that it builds share the code. It is
read from its source file, and keeps its lines in tracebacks. Without that file, as in a program
that was frozen, it stays as it is, which does the same a little slower.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, TypeVar

from mxnet._start.tracebacks import HANDLER, hide_frames, place_of_program, plain, public_call

F = TypeVar("F", bound=Callable[..., Any])

_INLINED: set[Any] = set()
_NO_ARGUMENTS: Mapping[str, ast.expr] = MappingProxyType({})


def inline(function: F) -> F:
    """Marks a function for `expand`: its only `return` ends it.

    What it reads more than once, or not in any case, callers give as a name.
    """
    _INLINED.add(function)
    return function


inline(place_of_program)


def expand(function: F) -> F:
    """Returns a function with what it and the functions in it call written into its code.

    These are calls of functions marked by `inline` whose result is returned or assigned, and the
    handler of `public_call`. What the new lines read is added to the module's names.
    """
    host = plain(function)
    if not isinstance(host, FunctionType) or host.__closure__:
        return function
    tree = _parse(host.__code__)
    if tree is None:
        return function
    _expand_function(tree, host.__globals__)
    code = _compile(tree, host.__code__)
    made = FunctionType(code, host.__globals__, host.__name__, host.__defaults__)
    made.__kwdefaults__, made.__annotations__ = host.__kwdefaults__, host.__annotations__
    made.__doc__, made.__module__ = host.__doc__, host.__module__
    made.__qualname__ = host.__qualname__
    return made  # type: ignore[return-value]  # takes and returns the same


def _expand_function(tree: ast.FunctionDef, namespace: dict[str, Any]) -> None:
    """Expands the lines of a function, and puts the handler around them if it is asked for."""
    _expand_lines(tree.body, namespace)
    plain_marks = [mark for mark in tree.decorator_list if not _means(mark, namespace, public_call)]
    handler = _parse(HANDLER) if plain_marks != tree.decorator_list else None
    if handler is not None and isinstance(guarded := handler.body[0], ast.Try):
        tree.decorator_list = plain_marks
        _Adoption(tree).take(guarded)
        guarded.body, tree.body = tree.body, [guarded]
        namespace[hide_frames.__name__] = hide_frames


def _expand_lines(lines: list[ast.stmt], namespace: dict[str, Any]) -> None:
    """Replaces calls in lines and in those inside of them."""
    for place in reversed(range(len(lines))):
        match lines[place]:
            case ast.FunctionDef() as function:
                _expand_function(function, namespace)
            case ast.Return(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                lines[place : place + 1] = _write_out(lines[place], call, namespace)
            case ast.Try(body=body, handlers=handlers):
                for block in (body, *[handler.body for handler in handlers]):
                    _expand_lines(block, namespace)
            case ast.If(body=body, orelse=orelse) | ast.For(body=body, orelse=orelse):
                _expand_lines(body, namespace)
                _expand_lines(orelse, namespace)


def _write_out(statement: ast.stmt, call: ast.Call, namespace: dict[str, Any]) -> list[ast.stmt]:
    """Returns lines that do what a statement does with a call, if that is to be written out."""
    function: Any = namespace.get(call.func.id) if isinstance(call.func, ast.Name) else None
    tree = _parse(function.__code__) if function in _INLINED else None
    if tree is None:
        return [statement]
    given = dict(zip([item.arg for item in tree.args.args], call.args, strict=True))
    adoption = _Adoption(statement, function, given)
    for line in tree.body:
        adoption.take(line)
    namespace |= adoption.names
    _, *lines, last = tree.body  # the first is the docstring
    if isinstance(last, ast.Return):
        statement.value = last.value  # type: ignore[attr-defined]  # it has one, the call
    _expand_lines(lines, namespace)
    return [*lines, statement]


class _Adoption:
    """Makes lines of one function fit into another one.

    Args:
        place: What they stand for, whose place in the file they get.
        function: The function that they are from.
        given: Its arguments, which replace the names of its parameters.

    Attributes:
        names: What the function reads that is not its own, by the new names.
    """

    def __init__(
        self, place: ast.stmt, function: Any = None, given: Mapping[str, ast.expr] = _NO_ARGUMENTS
    ) -> None:
        self.names: dict[str, Any] = {}
        self._place = {name: getattr(place, name) for name in place._attributes}
        self._function = function
        self._given = given

    def take(self, line: ast.stmt) -> None:
        """Changes names and places in a line: in a loop, as an import does it for many of them."""
        waiting: list[ast.AST] = [line]
        while waiting:
            node = waiting.pop()
            content = vars(node)
            if isinstance(node, ast.Name) and self._function is not None:
                node.id = self._rename(node.id)
            for field in node._fields:
                value = content.get(field)
                parts = value if isinstance(value, list) else [value]
                for index, part in enumerate(parts):
                    if isinstance(part, ast.Name) and part.id in self._given:
                        parts[index] = self._given[part.id]
                    elif isinstance(part, ast.AST):
                        waiting.append(part)
                content[field] = value if isinstance(value, list) else parts[0]
            if "lineno" in node._attributes:
                content.update(self._place)

    def _rename(self, name: str) -> str:
        new = f"_{self._function.__name__}_{name}"
        if name in self._function.__globals__:
            self.names[new] = self._function.__globals__[name]
        return new


def _means(name: ast.expr, namespace: dict[str, Any], value: object) -> bool:
    """Returns whether a name of a module means something."""
    return isinstance(name, ast.Name) and namespace.get(name.id) is value


def _parse(code: CodeType) -> ast.FunctionDef | None:
    """Returns the syntax tree of a function, with the lines of its file; None without the file."""
    lines = linecache.getlines(code.co_filename)
    start, end = code.co_firstlineno - 1, max([line or 0 for *_, line in code.co_lines()])
    if end > len(lines):
        return None
    indent = len(lines[start]) - len(lines[start].lstrip())
    while end < len(lines) and not lines[end][: indent + 1].strip():
        end += 1  # the rest of the last statement
    head = "\n" * (start - 1) + ("if 1:\n" if indent else "\n" * (start > 0))
    found = ast.parse(head + "".join(lines[start:end])).body[0]
    tree = found.body[0] if isinstance(found, ast.If) else found
    return tree if isinstance(tree, ast.FunctionDef) and tree.name == code.co_name else None


def _compile(tree: ast.FunctionDef, before: CodeType) -> CodeType:
    """Compiles a function in the place of its code."""
    tree.decorator_list.clear()
    flags = before.co_flags & annotations.compiler_flag
    module = ast.Module([tree], type_ignores=[])
    code = compile(module, before.co_filename, "exec", flags, dont_inherit=True)
    return next(item for item in code.co_consts if isinstance(item, CodeType))
