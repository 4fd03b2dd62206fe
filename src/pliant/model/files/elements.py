"""One element from its mapping in a file, a signal also from CSV. Faults are gathered, not raised
one by one."""

from __future__ import annotations

import dataclasses
from collections import ChainMap
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pliant.errors import Fault, FileError, InputError, ModelError, UnitError
from pliant.model.bodies import BODIES, RigidBody
from pliant.model.bodies.elastic import Material
from pliant.model.bodies.meshes import read_mesh
from pliant.model.bodies.shapes import SHAPES, SIZES
from pliant.model.cures import Instead, Leave, Shift, adding, curing, otherwise, steps_of
from pliant.model.drivers import DRIVERS, LEVELS, FrameDriver, JointDriver
from pliant.model.events import Event
from pliant.model.fields import kinds_of, shown
from pliant.model.files.text import MAX_BYTES
from pliant.model.frozen import did_you_mean
from pliant.model.named import NamedFormula
from pliant.model.numbers.paths import located
from pliant.model.numbers.units import parse_unit
from pliant.model.signals import Signal
from pliant.records import dataclass
from pliant.registry import offered

Given = dict[str, Any]
"""What a file says of an entry."""
# Names of fields as files have them.
FILE_KEYS = {"frame": "at"}


@dataclass(slots=True)
class Entry:
    """One named entry of a section while it is read."""

    section: str
    noun: str
    name: str
    base: Path | None = None
    partial: bool = False
    lost: list[str] = dataclasses.field(default_factory=list)
    faults: list[Fault] = dataclasses.field(default_factory=list)
    meant: set[str] = dataclasses.field(default_factory=set)
    """Keys that wrong ones probably stand for, and which are therefore not missing."""

    def fault(self, what: str, cure: str = "", key: str = "") -> None:
        """Note a fault of this entry."""
        path = (self.section, self.name, key) if key else (self.section, self.name)
        self.faults.append(Fault(f"{self.noun} '{self.name}'", what, cure, path=path))

    def mapping(self, value: Any, label: str = "") -> dict[str, Any]:
        """The value if it is a mapping; otherwise a fault and nothing."""
        if isinstance(value, Mapping):
            return dict(value)
        said = f"{label}: {shown(value)}" if label else shown(value)
        self.fault(f"{said} stands where a mapping is expected", "write key: value", label)
        return {}

    def known(
        self,
        given: dict[str, Any],
        allowed: Collection[str],
        label: str = "",
        move: tuple[Collection[str], str, tuple[str, ...]] = ((), "", ()),
    ) -> None:
        """Drop unknown keys, with a fault each; `move`: keys of another place, the cure, and the
        keys that lead there."""
        for key in [k for k in given if k not in allowed]:
            place = f"{label}: " if label else ""
            cure = otherwise(did_you_mean(key, allowed), "remove it", Leave())
            if key in move[0]:
                cure = curing(move[1], Shift((*move[2], key)))
                self.meant.add(key)
            self.meant |= {step.right for step in steps_of(cure) if isinstance(step, Instead)}
            self.fault(f"{place}unknown key '{key}'", cure, key)
            del given[key]

    def built(self, make: Callable[..., Any], **given: Any) -> Any:
        """The element, or None with its faults noted.

        An element with bad fields is built of its good ones if it can be, so that whatever else
        is wrong with it is found too; `partial` then says that it must not be relied on.
        """
        try:
            return make(self.name, **given)
        except ModelError as error:
            self.faults.extend(error.faults)
            bad = {part for fault in error.faults for part in fault.path[2:]} & given.keys()
        except InputError as error:
            self.fault(error.what, error.cure)
            bad = set()
        self.partial = True
        try:
            return make(self.name, **{k: v for k, v in given.items() if k not in bad})
        except (InputError, TypeError):
            return None


def one_kind(entry: Entry, given: dict[str, Any], kinds: Collection[str]) -> str | None:
    """The key that says what kind of element this is."""
    found = [key for key in given if key in {*kinds}]  # a registry looks further if it is asked
    if not found and _others_are_known(entry):
        found = [key for key in given if key in {*kinds}]
    if len(found) == 1:
        return found[0]
    if found:
        entry.fault(f"it is of several kinds: {', '.join(found)}", "keep one")
        return None
    strange = [key for key in given if did_you_mean(key, kinds).startswith("did you mean")]
    if strange:
        entry.fault(f"unknown kind '{strange[0]}'", did_you_mean(strange[0], kinds), strange[0])
    else:
        entry.fault(f"the kind of {entry.noun} is missing", f"add one of: {', '.join(kinds)}")
    return None


def _others_are_known(entry: Entry) -> bool:
    """Whether installed packages offer kinds."""
    try:
        return offered()
    except InputError as error:
        entry.fault(error.what, error.cure)
        return False


def between(entry: Entry, given: dict[str, Any], pair: tuple[str, ...]) -> dict[str, Any]:
    """The two frames of `between: [a, b]` as fields."""
    ends = given.pop("between", None)
    if ends is None and "between" in entry.meant:
        return {}
    if not isinstance(ends, list) or len(ends) != 2:
        what = "between is missing" if ends is None else f"between: {shown(ends)}"
        entry.fault(what, "write between: [frame, frame]", "between")
        return {}
    return dict(zip(pair, ends, strict=True))


def required(cls: Any, given: Collection[str]) -> list[str]:
    """Fields without default that are not given."""
    return [
        f.name
        for f in dataclasses.fields(cls)
        if f.default is dataclasses.MISSING and f.name != "name" and f.name not in given
    ]


def _inside(entry: Entry, kind: str, value: Any, main: str) -> dict[str, Any]:
    """What stands under the kind key: a mapping, nothing, or the main field itself."""
    if value is None:
        return {}
    if main and not isinstance(value, Mapping):
        return {main: value}
    return entry.mapping(value, kind)


def _complete(entry: Entry, cls: Any, fields: dict[str, Any], kind: str) -> Any:
    missing = [key for key in required(cls, fields) if not entry.faults or key not in _PLACES]
    for key in (key for key in missing if FILE_KEYS.get(key, key) not in entry.meant):
        own = FILE_KEYS.get(key, key)
        at = (own,) if key in cls.outside else (kind, own)
        entry.fault(f"{own} is missing", adding(at, kinds_of(cls).get(key)), key)
    if required(cls, fields):
        return None
    return entry.built(cls, **fields)


_PLACES = ("parent", "child", "frame_a", "frame_b")


def body_from(entry: Entry, given: Given) -> Any:
    """`crank: {rigid: {mass: 1}, frames: {...}, initial: {...}}` or a shape instead of rigid."""
    kind = one_kind(entry, given, ChainMap[str, Any](SHAPES, BODIES))
    if kind is None:
        return None
    inside = _inside(entry, kind, given.pop(kind), {"point": "mass", "modes": "file"}.get(kind, ""))
    cls = BODIES.get(kind, RigidBody)
    own = [k for k in kinds_of(cls) if k not in cls.outside] if kind in BODIES else []
    entry.known(given, cls.outside, move=(own, f"write it inside {kind}: {{...}}", (kind,)))
    _drawn(entry, given)
    if kind == "modes" and not _found(entry, inside):
        return None
    if kind in BODIES:
        entry.known(inside, own, kind, move=(cls.outside, f"write it beside {kind}", ()))
        return _complete(entry, cls, {**inside, **given}, kind)
    return _shaped(entry, kind, inside, given)


def _found(entry: Entry, inside: dict[str, Any]) -> bool:
    """Whether the file of `modes: {file: plate.json}` has a place, which is then its full path."""
    if "file" not in inside:
        return True
    try:
        inside["file"] = str(located(entry.base, inside["file"]))
    except InputError as error:
        entry.fault(f"file: {error.what}", error.cure, "file")
        return False
    return True


def _drawn(entry: Entry, given: dict[str, Any]) -> None:
    """Find and try the file of `shape: {mesh: {file: crank.stl}}`; without it, drop the shape."""
    shape = given.get("shape")
    mesh = shape.get("mesh") if isinstance(shape, Mapping) else None
    if not isinstance(mesh, Mapping) or "file" not in mesh:
        return
    try:
        path = located(entry.base, mesh["file"])
        if entry.base is not None:
            read_mesh(path)
    except InputError as error:
        cure = curing(error.cure, Leave())
        entry.fault(f"shape: mesh: {error.what}", cure, "shape")
        del given["shape"]
        return
    given["shape"] = {"mesh": {**mesh, "file": str(path)}}


def _shaped(entry: Entry, kind: str, inside: dict[str, Any], outside: dict[str, Any]) -> Any:
    wanted = SHAPES[kind].sizes
    entry.known(inside, [*wanted, "com"], kind)
    missing = [k for k, p in wanted.items() if p.default is p.empty and k not in inside]
    for key in (key for key in missing if key not in entry.meant):
        cure = adding((kind, key), SIZES.get(key))
        entry.fault(f"{kind}: {key} is missing", cure, kind)
    if missing:
        return None
    make = vars(RigidBody).get(kind) and getattr(RigidBody, kind)
    return entry.built(make or partial(RigidBody.shaped, kind), **inside, **outside)


def acting_from(entry: Entry, given: Given, kinds: Mapping[str, Any]) -> Any:
    """An element on one frame, between two, or on none: a joint, a force or a constraint.

    `O: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 30 deg}}`,
    `S: {spring: {stiffness: 100}, between: [a, b]}`, `F: {force: [0, 0, 1], at: crank}`,
    `roll: {rolling: {radius: 0.1, axis: y}, between: [ground, wheel]}`.
    """
    kind = one_kind(entry, given, kinds)
    if kind is None:
        return None
    cls: Any = kinds[kind]
    inside = _inside(entry, kind, given.pop(kind), cls.main)
    own = [k for k in kinds_of(cls) if k not in (*cls.outside, *cls.pair)]
    keys = {FILE_KEYS.get(k, k): k for k in cls.outside}
    beside = [*keys, "between"] if cls.pair else [*keys]
    entry.known(inside, own, kind, move=(beside, f"write it beside {kind}", ()))
    entry.known(given, beside, move=(own, f"write it inside {kind}: {{...}}", (kind,)))
    ends = between(entry, given, cls.pair) if cls.pair else {}
    outside = {keys[k]: v for k, v in given.items()}
    return _complete(entry, cls, {**inside, **outside, **ends}, kind)


def driver_from(entry: Entry, given: Given) -> Any:
    """`spin: {joint: O, angle: omega*t}`, `hand: {frame: arm.tip, position: [x, null, z]}`; others
    stand under their kind."""
    ours = [kind for kind, cls in DRIVERS.items() if cls in (JointDriver, FrameDriver)]
    if given.keys().isdisjoint(ours):
        others = {kind: cls for kind, cls in DRIVERS.items() if kind not in ours}
        if not given.keys().isdisjoint(others) or _others_are_known(entry):
            return acting_from(entry, given, others)
    if ("joint" in given) == ("frame" in given):
        what = "both a joint and a frame" if "joint" in given else "neither a joint nor a frame"
        entry.fault(f"it drives {what}", "give one: joint or frame")
        return None
    return _joint_driver(entry, given) if "joint" in given else _frame_driver(entry, given)


def _joint_driver(entry: Entry, given: dict[str, Any]) -> Any:
    """A level is a key, or the name of a coordinate, which means its position."""
    motions = [key for key in given if key not in ("joint", "coordinate")]
    if len(motions) != 1:
        what = f"several motions: {', '.join(motions)}" if motions else "no motion is given"
        entry.fault(what, "give one: a coordinate such as angle, or velocity or acceleration")
        return None
    (key,) = motions
    level = key if key in LEVELS else "position"
    coordinate = given.get("coordinate", None if key in LEVELS else key)
    return entry.built(JointDriver, joint=given["joint"], coordinate=coordinate, level=level,
                       motion=given[key])  # fmt: skip


def _frame_driver(entry: Entry, given: dict[str, Any]) -> Any:
    turning = {"position": "orientation"}
    turning |= {level: f"angular_{level}" for level in LEVELS[1:]}
    entry.known(given, ("frame", *LEVELS, *turning.values()))
    levels = [level for level in LEVELS if level in given or turning[level] in given]
    if len(levels) != 1:
        what = f"several levels: {', '.join(levels)}" if levels else "no motion is given"
        entry.fault(what, "give one: position, velocity or acceleration")
        return None
    (level,) = levels
    return entry.built(
        FrameDriver,
        frame=given["frame"],
        level=level,
        translation=given.get(level),
        orientation=given.get("orientation"),
        angular=given.get(turning[level]) if level != "position" else None,
    )


_SIGNAL_KEYS = ("file", "time", "value", "points", "times", "values", "source", "interpolation")


def signal_from(entry: Entry, given: Given) -> Any:
    """`wind: {file: wind.csv, value: speed}`, or {points: [[t, v], ...]}, {times: , values: }."""
    entry.known(given, _SIGNAL_KEYS)
    ways = [key for key in ("file", "points", "times") if key in given]
    if len(ways) != 1:
        entry.fault("its data is missing" if not ways else f"data is given as {', '.join(ways)}",
                    "give one: file, points, or times and values")  # fmt: skip
        return None
    try:
        data = _signal_data(entry, given)
    except InputError as error:
        entry.fault(error.what, error.cure, ways[0])
        return None
    more: dict[str, Any] = {k: given[k] for k in ("source", "interpolation") if k in given}
    return entry.built(Signal, **(data | more))


def _signal_data(entry: Entry, given: dict[str, Any]) -> dict[str, Any]:
    """Times and values, from lists, points or a file, which is then the source."""
    if "times" in given:
        return {"times": given["times"], "values": given.get("values", [])}
    if "points" in given:
        pairs = given["points"]
        if not isinstance(pairs, list) or not all(
            isinstance(p, list) and len(p) == 2 for p in pairs
        ):
            raise InputError("points are pairs [time, value]", "write [[0, 1], [2, 3]]")
        return {"times": [p[0] for p in pairs], "values": [p[1] for p in pairs]}
    name = given["file"]
    if not isinstance(name, str) or not name:
        raise InputError(f"file: {shown(name)} is not a path", "give the name of a CSV file")
    if entry.base is None:
        raise InputError(f"file: '{name}' cannot be found from a text", "load the model by path")
    columns = [given.get(key) for key in ("time", "value")]
    if any(c is not None and not isinstance(c, str) for c in columns):
        raise InputError("time and value are names of columns", "quote them")
    times, values = read_columns(entry.base / name, *columns)
    source = ": ".join([name, *(c for c in columns if c)])
    return {"times": times, "values": values, "source": source}


def event_from(entry: Entry, given: Given, **stop: bool) -> Any:
    """`top: {when: O.angle_rate, direction: falling}` or simply a formula or condition; one that
    ends the run: `hit_floor: tip.position.z < 0`."""
    entry.known(given, kinds_of(Event))
    if "when" not in given:
        entry.fault("when is missing", "give the formula that crosses zero, or a condition")
        return None
    return entry.built(Event, **{**given, **stop})


def named_from(entry: Entry, given: Given, cls: type[NamedFormula]) -> Any:
    """`phi: 0.3*sin(2*t)`, or `phi: {formula: 0.3*sin(2*t), unit: rad}`."""
    entry.known(given, kinds_of(cls))
    if "formula" not in given:
        entry.fault("formula is missing", "give what the name stands for")
        return None
    return entry.built(cls, **given)


def material_from(entry: Entry, given: Given) -> Any:
    """`steel: {E: 210 GPa, nu: 0.3, density: 7850}`."""
    entry.known(given, kinds_of(Material))
    return None if entry.faults and not given else entry.built(Material, **given)


def read_columns(
    path: Path, time: str | None, value: str | None
) -> tuple[list[float], list[float]]:
    """Two columns of a CSV file with a header row; by default `time` (or the first), the second."""
    rows = _rows(path)
    header = [cell.strip() for cell in rows[0]]
    at = _column(header, time, "time" if "time" in header else header[0], path)
    of = _column(header, value, header[1] if len(header) > 1 else header[0], path)
    times, values = [], []
    for number, row in enumerate(rows[1:], start=2):
        try:
            times.append(float(row[at]))
            values.append(float(row[of]))
        except (ValueError, IndexError):
            raise FileError(
                f"{path.name}, line {number}: not two numbers", "fix the line"
            ) from None
    return times, values


def _rows(path: Path) -> list[list[str]]:
    import csv

    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileError(f"{path.name} is larger than {MAX_BYTES // 10**6} MB", "thin it out")
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "check the path; it is relative to the "
                        "model file") from None  # fmt: skip
    if len(rows) < 3:
        raise FileError(f"{path.name} has no data", "give a header row and at least two rows")
    return rows


def _is_si(unit: str) -> bool:
    """Whether what stands in brackets is a unit of SI, in which numbers are read."""
    try:
        return parse_unit(unit.strip()[1:-1])[0] == 1
    except UnitError:
        return False


def _column(header: list[str], name: str | None, default: str, path: Path) -> int:
    wanted = default if name is None else name
    if wanted not in header:  # of a result, whose columns say their units
        with_unit = [k for k, cell in enumerate(header) if cell.startswith(f"{wanted} [")]
        if len(with_unit) == 1 and _is_si(header[with_unit[0]].removeprefix(wanted)):
            return with_unit[0]
        raise FileError(f"{path.name} has no column '{wanted}'", did_you_mean(wanted, header))
    return header.index(wanted)
