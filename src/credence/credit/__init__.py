"""The credit room: what is known about a UK company, and how it is said on the wire (D19 to D24).

    a snapshot of the register  ->  sources/   read once, by the load
    facts.py                    ->  what is known, as frozen values
    register.py                 ->  one company by its number, or candidates for a search
    report.py, search.py        ->  the answers; wire/ holds their members, names and types
    specimen.py                 ->  the sandbox's fixed, fictitious company

Read `facts.py` first, then `report.py`. This room knows nothing of tokens, HTTP or who is asking, and it invents
nothing: a member without a source is left out, and zero means counted and none found (report schema §8).
"""
