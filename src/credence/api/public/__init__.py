"""The public documents: health, documentation, model card, scenarios of the sandbox."""
