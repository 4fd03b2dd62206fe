"""MathML read back as the LaTeX of the same formula: what tests compare."""

import re

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\S")

_LETTERS = "αβγδϵεζηθϑικλμνξπρστυϕφχψωΓΔΘΛΞΠΣΥΦΨΩ"
_SPOKEN = """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu
nu xi pi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon
Phi Psi Omega"""
_GREEK = dict(zip(_LETTERS, _SPOKEN.split(), strict=True))
_DOTS = {"˙": "dot", "¨": "ddot", "⃛": "dddot", "⃜": "ddddot"}
_SIGNS = {"−": "-", "≤": r"\le", "∧": r"\wedge", "∨": r"\vee", "⋅": r"\cdot", "∂": r"\partial"}
_BINARY = {"+", "-", "<", "=", r"\le", r"\wedge", r"\vee", r"\cdot"}
_APPLY, _TIMES = "\u2061", "\u2062"
_OPERATORS = {"sin", "cos", "tan", "sec", "csc", "sinh", "cosh", "tanh", "exp", "arcsin", "arccos",
              "arctan", "ln", "min", "max", "neg"}  # fmt: skip


def as_latex(element):
    """The LaTeX of an element, as the printer of the package writes it."""
    return _row(list(element)) if element.tag in ("math", "mrow") else _one(element)


def tokens(latex):
    """Commands and signs, without blanks and sizes of brackets."""
    return [t for t in _TOKEN.findall(latex) if t not in (r"\left", r"\right")]


def _row(children):
    fence = _fenced(children)
    if fence:
        return fence
    found = ""
    for k, child in enumerate(children):
        sign = _SIGNS.get(child.text, child.text) if child.tag == "mo" else None
        if sign == _TIMES:
            found += " "
        elif sign == _APPLY:
            inside = children[k + 1]
            plain = inside.tag == "mrow" and _fenced(list(inside)) and _is_named(children[k - 1])
            found += "" if plain else " "
        elif sign in _BINARY:
            found += f" {sign} " if found else sign
        elif sign == r"\partial":
            found += sign + " "
        elif sign == ",":
            found += ", "
        else:
            found += sign if sign is not None else _one(child)
    return found


def _is_named(function):
    """A call f(x), whose bracket follows at once; of sines one is written only where needed."""
    own = function if function.tag == "mi" else function[0]
    return own.text not in ("sin", "cos", "sec", "csc", "cot") and own.text is not None


def _fenced(children):
    """What stands between two fences."""
    if len(children) < 2 or children[0].tag != "mo" or children[-1].tag != "mo":
        return ""
    ends = (children[0].text, children[-1].text)
    inner = children[1:-1]
    if len(inner) == 1 and inner[0].tag == "mtable":
        return _table(inner[0], ends)
    known = {("(", ")"): "()", ("|", "|"): "||"}.get(ends)
    return rf"\left{known[0]}{_row(inner)}\right{known[1]}" if known else ""


def _table(table, ends):
    rows = [[as_latex(cell) if cell.tag != "mtd" else _row(list(cell)) for cell in row]
            for row in table]  # fmt: skip
    if ends == ("[", "]"):
        body = r" \\ ".join(row[0] for row in rows)
        return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"
    body = " \\\\\n".join(" & ".join(row) for row in rows)
    return f"\\begin{{pmatrix}}\n{body}\n\\end{{pmatrix}}"


def _one(e):
    if e.tag == "mrow":
        return _row(list(e))
    if e.tag == "mn":
        return e.text
    if e.tag == "mo":
        return _SIGNS.get(e.text, e.text)
    if e.tag == "mi":
        return _name(e)
    if e.tag == "mfrac":
        above, below = map(_one, e)
        return rf"\frac{{{above}}}{{{below}}}"
    if e.tag == "msqrt":
        return rf"\sqrt{{{_row(list(e))}}}"
    if e.tag in ("msub", "msup"):
        base, script = map(_one, e)
        return f"{base}{'_' if e.tag == 'msub' else '^'}{{{script}}}"
    assert e.tag == "mover", e.tag
    return rf"\{_DOTS[e[1].text]}{{{_one(e[0])}}}"


def _name(e):
    text = e.text
    if e.get("mathvariant") == "normal":
        return rf"\mathrm{{{text}}}"
    if text in _GREEK:
        return "\\" + _GREEK[text]
    if len(text) > 1 and (not e.get("data-name") or text in _OPERATORS):
        return "\\" + text if text in _OPERATORS else rf"\operatorname{{{text}}}"
    return text
