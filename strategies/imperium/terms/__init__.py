"""Terms of the evaluation function of Imperium's players, used by `decisions` and `appraisal`."""
