"""The pages on which people sign in, agree, and manage their account (D27, D28). One file for each subject."""
