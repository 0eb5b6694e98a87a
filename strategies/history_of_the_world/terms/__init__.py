"""Terms of the evaluation function of History of the World's players, used by `decisions` and `appraisal`."""
