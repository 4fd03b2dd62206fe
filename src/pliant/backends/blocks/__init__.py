"""Models as systems of blocks for the sparse solver (``solver``).

Every body is a block with its pose in the world (and its elastic coordinates), every joint a block
of multipliers, every force an element over the blocks it touches. Elements are the mechanics of
``pliant.mechanics`` over a few bodies; those of the same form share one piece of machine code and
differ in numbers only, so that cost and code grow with the number of elements at most.

    elements            forms: an element in local names; behaviour: its residual;
                        parts: what a model consists of; observables: what is told of each
    model               blocks and elements of a model
    independent         dependent rows are left out; change points
    start               the assembled initial state
    observe             observables of recorded states
    route               what cannot be taken, by name; when it is taken
    transient, steps    motion, handed to the run of all back ends as steps
    equilibrium         equilibria, paths of them, critical loads
"""
