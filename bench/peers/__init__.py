"""Other token services, as they come, with nothing but the settings that the same questions need."""
