"""What the operator console and the other sites of screens share: blocks, template, style sheet, session and sign-in."""
