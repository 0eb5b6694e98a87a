"""The commands of the program, one file each. They parse options and print; nothing is computed here."""
