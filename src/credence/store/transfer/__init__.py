"""A store as a whole: moved to another database, kept in an archive, brought back."""
