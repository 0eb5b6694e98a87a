"""Plans, shards and result files of a run."""
