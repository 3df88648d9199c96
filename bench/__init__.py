"""How fast and how large is Credence? One question per file in `questions/`; `python -m bench` asks them."""
