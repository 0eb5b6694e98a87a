"""Questions that play games: comparisons, searches, sweeps, prices, ladders. They draw no page."""
