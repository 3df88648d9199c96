"""What only a register of full size can tell; made up, because the real one has a price in time and privacy."""
