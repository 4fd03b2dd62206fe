"""What a worker does: looks, analyses, series, comparisons, exports."""
