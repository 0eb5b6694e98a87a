"""Results of real games: read from spreadsheets, checked, and kept in folders."""
