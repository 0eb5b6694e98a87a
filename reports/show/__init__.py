"""How a report is shown: terminal, page, CSV, JSON and pictures."""
