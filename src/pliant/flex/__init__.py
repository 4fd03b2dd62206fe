"""From shape to matrices: flexible bodies as tables that every formulation reads.

`flexible_data` (`from_model`) gives the `FlexibleData` of a body of a model.
"""
