"""Terminal, page, JSON, CSV and figures of what sections hold. Computes no statistic."""
