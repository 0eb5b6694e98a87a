"""Several runs on the same deals: each arm changes something, luck stays."""

from __future__ import annotations

from reports.paired import check_same_deals, paired_differences, paired_moments

__all__ = ["check_same_deals", "paired_differences", "paired_moments"]
