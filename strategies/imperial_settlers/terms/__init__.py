"""Single terms of the evaluation function of Imperial Settlers's players, used by `decisions` and `appraisal`."""
