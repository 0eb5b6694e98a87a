"""The commands of the program, one file each. Commands parse options and print results; they compute nothing."""
