"""The moving page of a result: one HTML file that needs no network."""

from pliant.report.page import page_of, report
from pliant.report.poses import pose_names

__all__ = ["page_of", "pose_names", "report"]
