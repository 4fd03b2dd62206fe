"""What a notebook shows: pages, pictures and text as HTML; figures that are shown once."""
