"""What the credit room promises: numbers, the load of the register, reports, the search and the specimen."""
