"""The types of a row of the route table."""
