"""What every page for people shares: template, texts, forms, cookies, steps and the gate."""
