"""Directors across companies, from the officers that are loaded (report schema §1): found by name, shown by number.

query.py    what a director search asks for, checked and read into one value
search.py   `directortargeter`
details.py  `directordetails`
number.py   the number by which the wire names a director
"""
