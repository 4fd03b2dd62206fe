"""What every body says of itself."""

from __future__ import annotations

from typing import ClassVar


class Moving:
    """A body. Without more being said it is rigid, has mass and some extent."""

    __slots__ = ()
    by_nodes: ClassVar[bool] = False
    """Whether frames sit at nodes of a mesh, not along an axis or anywhere."""

    @property
    def flexible(self) -> bool:
        """Whether it has elastic coordinates."""
        return False

    @property
    def elastic_names(self) -> tuple[str, ...]:
        """Names of its elastic coordinates."""
        return ()

    @property
    def files(self) -> tuple[str, ...]:
        """Files that its numbers are read from."""
        return ()

    @property
    def massless(self) -> bool:
        """Whether its mass is written as zero."""
        return False

    @property
    def is_point(self) -> bool:
        """Whether it is a mass at its origin, of whose orientation nothing is said."""
        return False

    def resists(self, *, turning: bool) -> bool:
        """Whether it certainly has inertia against being turned, or else moved."""
        return True
