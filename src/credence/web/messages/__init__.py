"""The request that enters and the response that leaves, with their header fields."""
