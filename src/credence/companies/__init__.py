"""The credit room: what is known about a UK company, and how it is said on the wire (D19 to D24).

    files of public sources  ->  sources/    read once, by the loads
    facts/                   ->  what is known, as frozen values, each part with its provenance
    balance_sheet.py         ->  what follows from filed figures by arithmetic
    catalogue.py             ->  which file serves which source; a load ends by replacing it
    credit_data.py              ->  everything that is held about one company
    report/                  ->  the report, one file a member (docs/report.md); reports.py keeps what is finished
    page/                    ->  the same report as a page for people, HTML and PDF; pages.py makes them off the event loop
    search/, directors/      ->  the searches
    wire/                    ->  the members of every answer, their names and types
    specimen.py              ->  the sandbox's fixed, fictitious company and its director

Read `facts/` first, then `report/build.py`. This room knows nothing of tokens, HTTP or who is asking, and it invents
nothing: a member without a source is left out, and zero means counted and none found (report schema §8).
"""
