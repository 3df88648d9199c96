"""What a row of the table of routes is made of."""
