"""The sites for people: operator console, developer portal, credit workbench, and the API reference as a page."""
