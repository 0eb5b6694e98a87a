"""Terms of the evaluation function of 7 Wonders' players, used by `decisions` and `appraisal`."""
