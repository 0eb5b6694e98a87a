"""7 Wonders, first edition: cards, rules and scoring."""
