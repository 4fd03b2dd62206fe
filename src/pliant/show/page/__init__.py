"""The moving page of a result: one HTML file that needs no network."""

from pliant.show.page.page import page_of, page_script, pose_names, report

__all__ = ["page_of", "page_script", "pose_names", "report"]
