"""Numbers that are looked for: those of measurements (``fit``), those of a wish (``minimise``)."""
