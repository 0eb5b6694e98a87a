"""Single terms of the evaluation function of 7 Wonders's players, used by `decisions` and `appraisal`."""
