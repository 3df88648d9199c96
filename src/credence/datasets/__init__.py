"""Credit data on disk: the catalogue, one file per source, and how they are loaded, searched and copied between nodes."""
