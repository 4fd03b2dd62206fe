"""Text to tree: a tokenizer and a Pratt parser. Nothing is ever evaluated as code."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from pliant.errors import FormulaError
from pliant.model.formulas import tree
from pliant.model.formulas.functions import FUNCTIONS, HINTS
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass

MAX_TEXT = 20_000
MAX_TOKENS = 4_000
MAX_DEPTH = 60
MAX_TREE = 250
MAX_POINTS = 200
MAX_WORD = 200
HUGE = 1e100

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*(?::[a-z]\w*)?(?:\.(?:tangent\((?:root|tip)\)|[A-Za-z_]\w*))*)"
    r"|(?P<mark>\*\*|<=|>=|==|!=|[-+*/^()<>,\[\]])"
    r"|(?P<end>$))",
    re.ASCII,
)
_FOREIGN = {"&&": "write 'and'", "||": "write 'or'", "=": "write == to compare", "!": "write 'not'"}


@dataclass(frozen=True, slots=True)
class Token:
    """One word of the text; `at` is its column, from 1."""

    kind: str
    text: str
    at: int


@lru_cache(maxsize=4096)
def parse(text: str) -> tree.Node:
    """The tree of a formula text; what is read again and again while a model is edited is read
    once."""
    if len(text) > MAX_TEXT:
        raise FormulaError(
            f"a formula of {len(text)} characters", f"keep it below {MAX_TEXT}; use a signal"
        )
    if not text.strip():
        raise FormulaError("an empty formula", "give a number or a formula")
    return _Parser(text, tokens(text)).whole()


def tokens(text: str) -> list[Token]:
    """The words of the text; the last one is of kind `end`."""
    out: list[Token] = []
    at = 0
    while not out or out[-1].kind != "end":
        match = _TOKEN.match(text, at)
        if match is None:
            raise _foreign(text, at)
        kind = str(match.lastgroup)
        out.append(Token(kind, match[kind], match.start(kind) + 1))
        at = match.end()
        if len(match[kind]) > MAX_WORD:
            raise _fault(text, out[-1].at, f"a word of {len(match[kind])} characters", "shorten it")
        if len(out) > MAX_TOKENS:
            raise FormulaError(
                f"a formula of more than {MAX_TOKENS} words", "split it with parameters or outputs"
            )
    return out


def _foreign(text: str, at: int) -> FormulaError:
    at += len(text[at:]) - len(text[at:].lstrip())
    mark = text[at : at + 2] if text[at : at + 2] in _FOREIGN else text[at]
    cure = _FOREIGN.get(mark, "formulas hold numbers, names, + - * / ** ( ) and functions")
    return _fault(text, at + 1, f"unexpected {mark!r}", cure)


def _fault(text: str, column: int, what: str, cure: str) -> FormulaError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return FormulaError(f"formula '{shown}', column {column}: {what}", cure)


class _Parser:
    def __init__(self, text: str, words: list[Token]) -> None:
        self.text = text
        self.words = words
        self.at = 0
        self.level = 0

    @property
    def word(self) -> Token:
        return self.words[self.at]

    def next(self) -> Token:
        word = self.words[self.at]
        self.at += 1
        return word

    def fault(self, word: Token, what: str, cure: str) -> FormulaError:
        return _fault(self.text, word.at, what, cure)

    def whole(self) -> tree.Node:
        node = self.expression(0)
        word = self.word
        if word.kind == "end":
            if tree.depth(node) > MAX_TREE:
                raise FormulaError("a formula nested too deeply", "split it with parameters")
            return node
        if word.text == ")":
            raise self.fault(word, "')' without its '('", "remove it or add '('")
        if word.kind == "name":
            raise self.fault(
                word,
                f"unexpected '{word.text}'",
                "write the product with *; a unit may follow a plain number only",
            )
        raise self.fault(word, f"unexpected '{word.text}'", "an operator is missing before it")

    def expression(self, least: int) -> tree.Node:
        """Everything that binds at least as strongly as `least`."""
        self.level += 1
        if self.level > MAX_DEPTH:
            raise self.fault(self.word, "too deeply nested", "split it with parameters")
        node = self.prefix()
        while (strength := self.strength()) >= max(least, 1):
            node = self.infix(node, strength)
        self.level -= 1
        return node

    def strength(self) -> int:
        text = "**" if self.word.text == "^" else self.word.text
        return tree.BINARY.get(text, 0) if self.word.kind != "number" else 0

    def infix(self, left: tree.Node, strength: int) -> tree.Node:
        word = self.next()
        operator = "**" if word.text == "^" else word.text
        right = self.expression(strength if operator == "**" else strength + 1)
        if operator in tree.COMPARISONS:
            return self.comparison(word, left, right)
        return self.joined(word, operator, left, right)

    def joined(self, word: Token, operator: str, left: tree.Node, right: tree.Node) -> tree.Node:
        logical = operator in tree.CONDITIONS and operator not in tree.COMPARISONS
        for side in (left, right):
            if tree.is_condition(side) != logical:
                what = "needs conditions" if logical else "needs numbers, not conditions"
                raise self.fault(word, f"'{word.text}' {what}", "conditions belong in piecewise")
        return tree.Call(operator, (left, right))

    def comparison(self, word: Token, left: tree.Node, right: tree.Node) -> tree.Node:
        """`a < b`, and `a < b < c` meaning `a < b and b < c`."""
        for side in (left, right):
            if tree.is_condition(side):
                raise self.fault(word, f"'{word.text}' needs numbers", "join conditions with 'and'")
        node: tree.Node = tree.Call(word.text, (left, right))
        if self.word.text not in tree.COMPARISONS:
            return node
        word = self.next()
        third = self.expression(tree.BINARY[word.text] + 1)
        return tree.Call("and", (node, self.comparison(word, right, third)))

    def prefix(self) -> tree.Node:
        word = self.next()
        if word.kind == "number":
            return tree.Number(self.number(word))
        if word.text == "(":
            node = self.expression(0)
            self.close(word, ")")
            return node
        if word.text == "not":
            return self.negation(word)
        if word.text in ("-", "+"):
            return self.signed(word)
        if word.kind == "name" and word.text not in tree.BINARY:
            return self.call(word) if self.word.text == "(" else self.name(word)
        if word.text == "[":
            raise self.fault(word, "a list stands here", "lists belong in table and spline")
        what = "the formula ends too early" if word.kind == "end" else f"unexpected '{word.text}'"
        raise self.fault(word, what, "a number, a name or '(' is expected here")

    def signed(self, word: Token) -> tree.Node:
        node = self.expression(tree.NEGATIVE)
        if tree.is_condition(node):
            raise self.fault(word, f"'{word.text}' needs a number", "use 'not' for conditions")
        if word.text == "+":
            return node
        return (
            tree.Number(-node.value) if isinstance(node, tree.Number) else tree.Call("neg", (node,))
        )

    def negation(self, word: Token) -> tree.Node:
        node = self.expression(tree.NOT)
        if not tree.is_condition(node):
            raise self.fault(word, "'not' needs a condition", "compare with == or <")
        return tree.Call("not", (node,))

    def number(self, word: Token) -> float:
        value = float(word.text)
        if not math.isfinite(value) or abs(value) > HUGE:
            raise self.fault(word, f"the number {word.text} is too large", "stay below 1e100")
        return value

    def name(self, word: Token) -> tree.Node:
        if any(part.startswith("__") for part in word.text.split(".")):
            raise self.fault(word, f"'{word.text}' is not a name", "names start with a letter")
        if word.text.lower() in ("nan", "inf", "infinity"):
            raise self.fault(word, f"'{word.text}' is not a number", "give a finite number")
        if word.text in FUNCTIONS:
            raise self.fault(word, f"'{word.text}' is a function", f"write {word.text}(...)")
        return tree.Name(word.text)

    def close(self, opened: Token, mark: str) -> None:
        if self.word.text != mark or self.word.kind == "end":
            raise self.fault(self.word, f"'{opened.text}' of column {opened.at} is not closed",
                             f"add '{mark}'")  # fmt: skip
        self.next()

    def call(self, word: Token) -> tree.Node:
        function = FUNCTIONS.get(word.text)
        if function is None:
            cure = HINTS.get(word.text) or did_you_mean(word.text, FUNCTIONS)
            raise self.fault(word, f"unknown function '{word.text}'", cure or "see the reference")
        opened = self.next()
        args: list[tree.Node] = []
        while self.word.text != ")" or args:
            args.append(self.points() if self.word.text == "[" else self.expression(0))
            if self.word.text != ",":
                break
            self.next()
        self.close(opened, ")")
        objection = function.objection(tuple(args))
        if objection:
            raise self.fault(word, f"{word.text}: {objection}", f"write {function.usage}")
        return tree.Call(function.name, tuple(args))

    def points(self) -> tree.Node:
        opened = self.next()
        values: list[float] = []
        while self.word.text != "]":
            word = self.word
            node = self.expression(0)
            if not isinstance(node, tree.Number):
                raise self.fault(word, "a list holds numbers only", "replace it by its value")
            values.append(node.value)
            if len(values) > MAX_POINTS:
                raise self.fault(word, f"more than {MAX_POINTS} points", "use a signal instead")
            if self.word.text != ",":
                break
            self.next()
        self.close(opened, "]")
        return tree.Points(tuple(values))
