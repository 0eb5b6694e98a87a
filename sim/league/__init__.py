"""Results of real games: reads them from spreadsheets, checks them, and saves them in folders."""
