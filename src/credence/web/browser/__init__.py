"""The pages for people (D27, D28). `oauth/authorization` decides, this package renders."""
