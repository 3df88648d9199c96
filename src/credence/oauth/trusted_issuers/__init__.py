"""Trust in issuers elsewhere: their metadata and keys, and the one check of what they sign. Off until one is added."""
