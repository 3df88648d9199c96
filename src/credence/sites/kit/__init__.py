"""Shared by the operator console, the workbench and the portal: blocks, template, style sheet, session and sign-in."""
