"""Operations of operators on applications, accounts and keys, shared by command line, API and desired state (D30)."""
