"""The commands of the program, one file for each or for a few that belong together."""
