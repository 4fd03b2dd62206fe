"""Random damage to data (mappings, lists, numbers, texts) and to the bytes of files."""

import copy
import string

NUMBERS = (
    0, -1, 1, 2, 1e-320, 1e-308, 1e-120, 1e-60, 1e-12, 1e12, 1e60, 1e99, 1e150, 1e308, -1e99,
    10**30, 0.5, -0.0, True, None,
)  # fmt: skip
WORDS = (
    "", "0", "nan", "inf", "-inf", "1/0", "1/t", "sqrt(-1)", "sqrt(t)", "log(0*t)", "t", "1e400",
    "x", "ground", "costs 5$ {x$", "<b>&amp;", "3 mm", "3 kg*m/s", "2**2**2**2", "a.b.c.d", "é\n",
    "((((", "1 +", "tan(t)", "'", "null", "..", ".", "table(t, [0, 0], [1, 2])", "🙂", "\\", "%s",
)  # fmt: skip


def some(rng, items):
    """One of a few things."""
    return items[int(rng.integers(len(items)))]


def _word(rng):
    letters = string.ascii_letters + string.digits + "_.-+*/() ${}[]:"
    size = int(rng.integers(1, 12))
    return "".join(some(rng, letters) for _ in range(size))


def value(rng):
    """Anything that could stand in a file."""
    kind = int(rng.integers(6))
    if kind == 0:
        return some(rng, NUMBERS)
    if kind == 1:
        return some(rng, WORDS)
    if kind == 2:
        return float(rng.standard_normal() * 10.0 ** rng.integers(-12, 12))
    if kind == 3:
        return [value(rng) for _ in range(int(rng.integers(4)))]
    if kind == 4:
        return {_word(rng): value(rng) for _ in range(int(rng.integers(3)))}
    return _word(rng)


def _places(data, path=()):
    """Paths to everything inside."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, key))


def _at(data, path):
    for key in path:
        data = data[key]
    return data


def mutated(rng, data, most=3):
    """A copy with one to ``most`` places changed."""
    data = copy.deepcopy(data)
    for _ in range(int(rng.integers(1, most + 1))):
        places = list(_places(data)) if isinstance(data, dict | list) else []
        if not places:
            return value(rng)
        *parent, key = some(rng, places)
        owner = _at(data, parent)
        change = int(rng.integers(7))
        old = owner[key]
        if change == 0:
            del owner[key]
        elif change == 1 and isinstance(owner, dict):
            owner[_word(rng)] = owner.pop(key)
        elif change == 2:
            owner[key] = copy.deepcopy(_at(data, some(rng, places)))
        elif change <= 4 and isinstance(old, int | float) and not isinstance(old, bool):
            factor = some(rng, (0.0, -1.0, 1e-9, 1e9, 1e-30, 1e30, 1e-90, 1e90))
            owner[key] = old * factor if change == 3 else some(rng, NUMBERS)
        elif change == 5 and isinstance(old, str):
            owner[key] = some(rng, WORDS)
        else:
            owner[key] = value(rng)
    return data


def damaged(rng, content):
    """Bytes with a few of them flipped, lost, repeated or strange."""
    out = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        if not out:
            return bytes(rng.integers(0, 256, 7, dtype="u1"))
        k, size = int(rng.integers(len(out))), int(rng.integers(1, 64))
        change = int(rng.integers(6))
        if change == 0:
            out[k] ^= 1 << int(rng.integers(8))
        elif change == 1:
            del out[k : k + size]
        elif change == 2:
            out[k:k] = out[k : k + size]
        elif change == 3:
            del out[k:]
        elif change == 4:
            out[k : k + size] = bytes(rng.integers(0, 256, min(size, 8), dtype="u1"))
        else:
            out[k:k] = str(some(rng, (*NUMBERS, *WORDS))).encode()
    return bytes(out)
