"""What is published about the table of routes: the words of each row, the OpenAPI document, and the page to read."""
