"""Views of the text: what it says, its faults, what may stand where, what there is to say of it."""
