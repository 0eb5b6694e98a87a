"""Many games: plans, play, progress, replay. Folders on disk are in `store`, clusters and URLs in `remote`."""
