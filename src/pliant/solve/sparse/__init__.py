"""Block-sparse Newton solver for large systems in absolute coordinates.

Unknowns come in blocks (a body, a node, the multipliers of a joint), equations from elements that
touch a few blocks each. The order of elimination is found once per topology; factorisation,
assembly and time steps are machine code. Cost is linear in the number of elements wherever the
fill is (chains, trees, frames, few loops).

    element, elements, frames    kinds of elements: residual and tangent over blocks
    system                       blocks and elements to arrays; residual, tangent, motion
    statics, arc_length, buckling    equilibria, paths through limit points, critical loads
    transient                    generalized-alpha (alpha), with step control (control); steps that
                                 conserve energy and momenta (conserving, discrete, inertia)
    groups, ordering, program    pivots, order of elimination, the flat program of block operations
    matrix, factor, kernels      factors and solutions; assembly, motion, stepping, advance: loops

Pivoting is inside the blocks of a pivot only. A body without mass and stiffness of its own must
therefore be held by its joint, and constraints must not repeat each other; both are reported by
the name of the block.
"""
