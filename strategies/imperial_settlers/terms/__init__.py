"""Terms of the evaluation function of Imperial Settlers' players, used by `decisions` and `appraisal`."""
