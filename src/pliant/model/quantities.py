"""Types of number fields: constructors take numbers and texts, attributes are formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pliant.model.formulas import Formula

Numeric = float | int | str | Formula
Vec3 = tuple[Formula, Formula, Formula]

if TYPE_CHECKING:
    # What a type checker sees: constructors take numbers and texts, attributes are formulas.
    class Quantity:
        """A number field."""

        def __get__(self, owner: object, kind: Any = None) -> Formula: ...
        def __set__(self, owner: object, value: Numeric) -> None: ...

    class OptionalQuantity:
        """A number field that may be left out."""

        def __get__(self, owner: object, kind: Any = None) -> Formula | None: ...
        def __set__(self, owner: object, value: Numeric | None) -> None: ...

    class Vector:
        """A field of three numbers."""

        def __get__(self, owner: object, kind: Any = None) -> Vec3: ...
        def __set__(self, owner: object, value: Sequence[Numeric]) -> None: ...

    class OptionalVector:
        """A field of three numbers that may be left out."""

        def __get__(self, owner: object, kind: Any = None) -> Vec3 | None: ...
        def __set__(self, owner: object, value: Sequence[Numeric] | None) -> None: ...

    class Quantities:
        """A field of several numbers."""

        def __get__(self, owner: object, kind: Any = None) -> tuple[Formula, ...]: ...
        def __set__(self, owner: object, value: Sequence[Any] | Mapping[str, Any]) -> None: ...

else:
    Quantity = OptionalQuantity = Vector = OptionalVector = Quantities = object
