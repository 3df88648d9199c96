"""What is known about UK companies, as values and pure functions (D19 to D24).

    facts/            what the public sources publish, as frozen values
    number.py         company numbers in normal form
    words.py          names and addresses in normal form
    codes.py          the register's words and the codes of the API
    ownership.py      persons with significant control
    balance_sheet.py  arithmetic on the lines of a balance sheet

Nothing here does input or output, and nothing is invented: an unknown value is None and never zero (report schema §8).
"""
