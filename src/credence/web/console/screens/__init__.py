"""The screens of the operator console, one file for each subject."""
