"""The blocks that a page consists of, and the formats of the text in them."""
