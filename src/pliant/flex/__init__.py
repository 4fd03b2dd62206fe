"""From shape to matrices: flexible bodies as tables that every formulation reads.

`beam_data(BeamBody(...))` and `given_data(GivenModes(...))` both give `FlexibleData`.
"""

from pliant.late import late

__getattr__, __dir__ = late(
    globals(),
    {
        "beam": ("Beam", "Elastic", "RateBeam", "Rates", "SectionBeam"),
        "body": ("BeamBody", "beam_data"),
        "damping": ("Damping", "ModalDamping", "NoDamping", "RayleighDamping", "StiffnessDamping"),
        "data": ("FlexibleData", "FrameData", "Masks", "critical_loads"),
        "floating": ("FloatingFrame",),
        "given": ("GivenModes", "load_modes", "modal_stiffness", "tables_from_unit_loads"),
        "given_body": ("GivenFrame", "given_data"),
        "section": ("Circle", "ISection", "Properties", "Rectangle", "Section", "Tube"),
        "shapes": ("FAMILIES", "BeamShapes", "Shapes"),
    },
)
