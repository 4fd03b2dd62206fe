"""What all formulations share: values of formulas, motion of frames, loads, rows, observables."""
