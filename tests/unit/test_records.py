"""Quick dataclasses are dataclasses: every law is tested for the standard decorator as well."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

import pliant
from pliant import records


@records.dataclass(frozen=True, slots=True)
class Point:
    """Of module level, so that it can be pickled."""

    kind: ClassVar[str] = "point"
    x: float
    y: float = 0.0
    tags: list[str] = field(default_factory=list, compare=False, repr=False)


@records.dataclass(slots=True)
class Counter:
    """May be changed."""

    count: int = 0


@pytest.fixture(params=[dataclasses.dataclass, records.dataclass], ids=["standard", "own"])
def dataclass(request):
    return request.param


@pytest.fixture(params=[False, True], ids=["dict", "slots"])
def slots(request):
    return request.param


def test_fields_defaults_and_signature(dataclass, slots):
    @dataclass(frozen=True, slots=slots)
    class Body:
        """A body."""

        kind: ClassVar[str] = "body"
        name: str
        mass: float = field(default=1.0, metadata={"doc": "mass"})
        frames: dict[str, int] = field(default_factory=dict)
        _: KW_ONLY
        note: str = ""
        hidden: int = field(default=3, init=False)
        cached: list[int] = field(default_factory=list, init=False)

    names = ["name", "mass", "frames", "note", "hidden", "cached"]
    assert [f.name for f in dataclasses.fields(Body)] == names
    assert dataclasses.fields(Body)[1].metadata["doc"] == "mass"
    assert dataclasses.fields(Body)[0].type == "str"
    assert [f.kw_only for f in dataclasses.fields(Body)] == [False] * 3 + [True] * 3
    text = "(name: 'str', mass: 'float' = 1.0, frames: 'dict[str, int]' = <factory>, "
    assert str(inspect.signature(Body)) == text + "*, note: 'str' = '') -> None"
    assert Body.__match_args__ == ("name", "mass", "frames")
    one, other = Body("a", note="n"), Body("a", 1.0, {})
    assert (one.name, one.mass, one.frames, one.note, one.hidden) == ("a", 1.0, {}, "n", 3)
    assert one.frames is not other.frames
    assert one.cached is not other.cached
    assert one.kind == "body"
    assert hasattr(one, "__dict__") is not slots
    place = test_fields_defaults_and_signature.__name__ + ".<locals>.Body"
    assert repr(other) == f"{place}(name='a', mass=1.0, frames={{}}, note='', hidden=3, cached=[])"
    with pytest.raises(TypeError, match=r"Body.__init__\(\) missing 1 required .* 'name'"):
        Body()
    with pytest.raises(TypeError, match="takes from 2 to 4 positional arguments but 5"):
        Body("a", 1.0, {}, "note")
    with pytest.raises(TypeError, match="unexpected keyword argument 'hidden'"):
        Body("a", hidden=2)


def test_whole_classes_by_keyword(dataclass, slots):
    @dataclass(kw_only=True, slots=slots)
    class Request:
        b: int = 2
        a: int

    assert Request(a=1).b == 2
    assert Request.__match_args__ == ()
    with pytest.raises(TypeError):
        Request(1)


def test_equality_and_hash(dataclass, slots):
    @dataclass(frozen=True, slots=slots)
    class Named:
        name: str
        note: str = field(default="", compare=False)
        size: int = field(default=0, hash=False)

    class Derived(Named):
        pass

    assert Named("a", "x") == Named("a", "y") != Named("b", "x")
    assert hash(Named("a", "x")) == hash(Named("a", "y", 2))
    assert hash(Named("a")) == hash(("a",))
    assert Named("a", size=1) != Named("a", size=2)
    assert Named("a") != Derived("a") != "a"
    assert len({Named("a"), Named("a", "x"), Named("b")}) == 2


def test_what_can_be_changed_has_no_hash(dataclass, slots):
    @dataclass(slots=slots)
    class Open:
        x: int = 1

    one = Open()
    one.x = 2
    assert one == Open(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_equality_by_identity(dataclass, slots):
    @dataclass(frozen=True, slots=slots, eq=False)
    class Token:
        x: int = 1

    one = Token()
    assert one == one
    assert one != Token()
    assert len({one, Token()}) == 2


def test_own_functions_stay(dataclass, slots):
    @dataclass(frozen=True, slots=slots)
    class Own:
        x: int

        def __init__(self) -> None:
            object.__setattr__(self, "x", 5)

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    @dataclass(frozen=True, slots=slots, repr=False)
    class Bare:
        x: int = 1

        def __eq__(self, other: object) -> bool:
            return True

    assert (repr(Own()), hash(Own()), Own().x, Own() == 3) == ("own", 7, 5, True)
    assert hash(Bare(2)) == hash((2,))
    assert repr(Bare()).startswith("<")


def test_frozen(dataclass, slots):
    @dataclass(frozen=True, slots=slots)
    class Frozen:
        x: int = 1

    one = Frozen()
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del one.x
    assert one.x == 1


def test_other_attributes_of_frozen_classes(slots):
    """With slots the standard decorator of Python 3.11 raises a TypeError for all of them."""

    @records.dataclass(frozen=True, slots=slots)
    class Frozen:
        x: int = 1

    class Plain(Frozen):
        pass

    one, plain = Frozen(), Plain()
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'y'"):
        one.y = 2
    with pytest.raises(FrozenInstanceError):
        plain.x = 2
    plain.y = 3
    del plain.y
    assert one.x == plain.x == 1
    assert not hasattr(plain, "y")


def test_after_init_and_order_of_inheritance(dataclass, slots):
    @dataclass(frozen=True, slots=slots)
    class Base:
        name: str
        unit: str = "m"

        def __post_init__(self) -> None:
            object.__setattr__(self, "name", self.name.upper())

    @dataclass(frozen=True, slots=slots)
    class Derived(Base):
        factor: float = 2.0
        unit: str = "mm"

        def __post_init__(self) -> None:
            Base.__post_init__(self)
            object.__setattr__(self, "factor", 2 * self.factor)

    assert Base("a") == Base("A")
    assert dataclasses.astuple(Derived("a")) == ("A", "mm", 4.0)
    assert Derived.__match_args__ == ("name", "unit", "factor")


@pytest.mark.parametrize("upper", [dataclasses.dataclass, records.dataclass])
def test_both_kinds_derive_from_each_other(dataclass, upper, slots):
    @dataclass(frozen=True, slots=slots)
    class Base:
        kind: ClassVar[str] = "base"
        name: str

    @upper(frozen=True, slots=slots)
    class Derived(Base):
        size: int = 1

    assert repr(Derived("a")).endswith("Derived(name='a', size=1)")
    assert Derived("a") == Derived("a", 1) != Base("a")
    assert hash(Derived("a")) == hash(("a", 1))
    assert Derived.kind == "base"
    with pytest.raises(FrozenInstanceError):
        Derived("a").name = "b"
    with pytest.raises(TypeError, match="frozen"):

        @upper(slots=slots)
        class Open(Base):
            pass


def test_frozen_does_not_derive_from_open(dataclass):
    @dataclass
    class Open:
        x: int

    with pytest.raises(TypeError, match="frozen"):

        @dataclass(frozen=True)
        class Frozen(Open):
            pass


def test_abstract_and_class_values(dataclass, slots):
    class Shape(ABC):
        @abstractmethod
        def area(self) -> float: ...

    @dataclass(frozen=True, slots=slots)
    class Square(Shape):
        side: float

        def area(self) -> float:
            return self.side**2

    @dataclass(frozen=True, slots=slots)
    class Unfinished(Shape):
        side: float

    assert Square(2.0).area() == 4.0
    with pytest.raises(TypeError, match="abstract"):
        Unfinished(1.0)


def test_mutable_defaults_are_refused(dataclass):
    with pytest.raises(ValueError, match=r"mutable default .* use default_factory"):

        @dataclass
        class Wrong:
            x: list[int] = []  # noqa: RUF012


def test_what_is_not_offered_is_refused():
    with pytest.raises(TypeError, match=r"Wrong\.x: InitVar is not offered"):

        @records.dataclass
        class Wrong:
            x: dataclasses.InitVar[int]


def test_annotations_that_are_no_text(dataclass, slots):
    namespace: dict[str, Any] = {
        "__annotations__": {"kind": ClassVar[int], "_": KW_ONLY, "x": int},
        "kind": 3,
    }
    made = dataclass(slots=slots)(type("Made", (), namespace))
    assert [f.name for f in dataclasses.fields(made)] == ["x"]
    assert made(x=1).kind == 3
    with pytest.raises(TypeError):
        made(1)


def test_a_text_of_itself_ends(dataclass):
    @dataclass
    class Loop:
        me: Any = None

    loop = Loop()
    loop.me = loop
    assert repr(loop).endswith("Loop(me=...)")


def test_tools_of_the_standard_library():
    point = Point(1.0, tags=["a"])
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.replace(point, y=2.0) == Point(1.0, 2.0)
    assert point.__replace__(y=2.0) == Point(1.0, 2.0)
    assert dataclasses.asdict(point) == {"x": 1.0, "y": 0.0, "tags": ["a"]}
    match point:
        case Point(x, y):
            assert (x, y) == (1.0, 0.0)
    for twin in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert twin == point
        assert twin.tags == ["a"]
    assert copy.copy(point).tags is point.tags
    assert copy.deepcopy(point).tags is not point.tags
    assert pickle.loads(pickle.dumps(Counter(3))) == Counter(3)
    assert Point.__init__ is Point.__init__
    assert Point.__init__.__qualname__ == "Point.__init__"


def test_dataclasses_of_the_package_are_quick_and_have_a_signature():
    """Each ``__init__`` can be written; defaults do not come before what must be given."""
    quick = [*records._PARAMS.values()]
    seen = set()
    for module in pkgutil.walk_packages(pliant.__path__, "pliant."):
        if not module.name.endswith("__main__"):
            for value in vars(importlib.import_module(module.name)).values():
                own = getattr(value, "__module__", None) or ""
                if not own.startswith("pliant."):
                    continue
                if inspect.isclass(value) and dataclasses.is_dataclass(value):
                    inspect.signature(value)
                    assert value.__module__ == "pliant.records" or any(
                        value.__dataclass_params__ is params for params in quick
                    ), f"{value}: from pliant.records import dataclass"
                    seen.add(value)
    assert len(seen) > 400


def test_arguments_that_are_wrong_or_missing_are_told_by_name():
    import pliant as pl

    with pytest.raises(TypeError, match=r"no argument 'mas'; did you mean 'mass'\?"):
        pl.RigidBody("a", mas=1)  # the one that is missing follows from it
    with pytest.raises(TypeError, match="Revolute: give 'parent', 'child'"):
        pl.Revolute("r")
