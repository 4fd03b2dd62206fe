"""The syntax tree of a formula, and its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; negative literals are folded into it."""

    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """Something to look up: `l2`, `t`, `O.angle`, `hand.position.x`."""

    name: str


@dataclass(frozen=True, slots=True)
class Points:
    """The list of constants of a table or a spline."""

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """An operator or a function applied to its arguments."""

    function: str
    args: tuple[Node, ...]


Node = Number | Name | Points | Call

COMPARISONS = {"<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4}
BINARY = {"or": 1, "and": 2, **COMPARISONS, "+": 5, "-": 5, "*": 6, "/": 6, "**": 8}
NOT, NEGATIVE = 3, 7
CONDITIONS = frozenset({"or", "and", "not", *COMPARISONS})
_ATOM = 9


def is_condition(node: Node) -> bool:
    """True if the node is true or false rather than a number."""
    return isinstance(node, Call) and node.function in CONDITIONS


def renamed(node: Node, rename: Callable[[str], str]) -> Node:
    """The same with other names."""
    if isinstance(node, Name):
        return Name(rename(node.name))
    if isinstance(node, Call):
        return Call(node.function, tuple(renamed(a, rename) for a in node.args))
    return node


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        if isinstance(top, Call):
            stack.extend(top.args)


def depth(node: Node) -> int:
    """The number of levels of the tree."""
    level, below = 0, [node]
    while below:
        level += 1
        below = [a for n in below if isinstance(n, Call) for a in n.args]
    return level


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def text_of(node: Node) -> str:
    """A text that parses to this very tree."""
    return _text(node)[0]


def _text(node: Node) -> tuple[str, int]:
    """The text of a node and how strongly it binds."""
    if isinstance(node, Number):
        text = number_text(node.value)
        return text, NEGATIVE if text.startswith("-") else _ATOM
    if isinstance(node, Name):
        return node.name, _ATOM
    if isinstance(node, Points):
        return "[" + ", ".join(number_text(v) for v in node.values) + "]", _ATOM
    if node.function == "neg":
        return "-" + _operand(node.args[0], NEGATIVE + 1), NEGATIVE
    if node.function == "not":
        return "not " + _operand(node.args[0], NOT), NOT
    if node.function in BINARY:
        return _binary_text(node)
    return f"{node.function}({', '.join(text_of(a) for a in node.args)})", _ATOM


def _binary_text(node: Call) -> tuple[str, int]:
    strength = BINARY[node.function]
    power, comparison = node.function == "**", node.function in COMPARISONS
    left = _operand(node.args[0], strength + (1 if power or comparison else 0))
    right = _operand(node.args[1], strength + (0 if power else 1))
    gap = "" if node.function in ("*", "/", "**") else " "
    return f"{left}{gap}{node.function}{gap}{right}", strength


def _operand(node: Node, least: int) -> str:
    text, strength = _text(node)
    return f"({text})" if strength < least else text
