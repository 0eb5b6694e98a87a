"""Runs on a Dask cluster (`cluster`, `worker`) or at a URL (`url_run`). Local runs are in `runs/store`."""
