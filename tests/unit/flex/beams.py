"""Beams for the tests."""

from pliant.flex import BeamBody, BeamShapes, Elastic, Rectangle, SectionBeam, Shapes, Tube

STEEL = Elastic(E=2.0e11, density=7800.0, nu=0.3)
TAPERED = SectionBeam(
    1.7,
    (Rectangle(0.30, 0.20), Rectangle(0.22, 0.26), Rectangle(0.10, 0.14)),
    STEEL,
    (0.0, 0.35, 1.0),
)
UNIFORM = SectionBeam(1.3, (Rectangle(0.12, 0.08),), STEEL)
PIPE = SectionBeam(2.0, (Tube(0.05, 0.04),), STEEL)


def body(family, count=3, beam=TAPERED, **options):
    """All four fields of one family; component families get room for their static modes."""
    bending = count + 2 if family in ("craig-bampton", "free-interface") else count
    extra = {"elements": 12} if bending > count else {}
    return BeamBody(
        beam,
        BeamShapes(
            Shapes(family, bending, **extra),
            Shapes(family, bending, **extra),
            Shapes(family, 2, **extra),
            Shapes(family, 2, **extra),
        ),
        **options,
    )
