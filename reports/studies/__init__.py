"""Questions that play games themselves: comparisons, sweeps, searches, plans."""
