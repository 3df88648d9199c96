"""The searches of the API: companies by name, directors by surname, one director by number (report schema §1).

companies.py          `businesstargeter`
director_query.py     the checked parameters of a director search
directors.py          `directortargeter`
director_details.py   `directordetails`
threads.py            runs searches in threads, with a bounded queue
"""
