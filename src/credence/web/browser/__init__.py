"""Pages for people: what a browser sends and gets (D27, D28). `oauth/authorization` decides, this package shows."""
