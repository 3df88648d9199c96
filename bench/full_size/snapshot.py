"""A made-up register of full size in the layout of the real one.

Seven zipped parts of `BasicCompanyData`, the same bytes at each run. Nobody in it exists. The shares are those of the
real sample of 4,537 rows: words per name, words that no other name has, former names, categories, statuses, activities,
charges, and companies that share an address.
"""

import os
import random
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import accumulate
from pathlib import Path

PARTS = 7
SNAPSHOT = "2026-11-01"

_BLOCK = 5_000
"""Rows made at a time: chance is drawn for many rows at once, which is several times faster."""

_HEADER = (
    "CompanyName, CompanyNumber,RegAddress.CareOf,RegAddress.POBox,RegAddress.AddressLine1, RegAddress.AddressLine2,"
    "RegAddress.PostTown,RegAddress.County,RegAddress.Country,RegAddress.PostCode,CompanyCategory,CompanyStatus,"
    "CountryOfOrigin,DissolutionDate,IncorporationDate,Accounts.AccountRefDay,Accounts.AccountRefMonth,"
    "Accounts.NextDueDate,Accounts.LastMadeUpDate,Accounts.AccountCategory,Returns.NextDueDate,Returns.LastMadeUpDate,"
    "Mortgages.NumMortCharges,Mortgages.NumMortOutstanding,Mortgages.NumMortPartSatisfied,Mortgages.NumMortSatisfied,"
    "SICCode.SicText_1,SICCode.SicText_2,SICCode.SicText_3,SICCode.SicText_4,"
    "LimitedPartnerships.NumGenPartners,LimitedPartnerships.NumLimPartners,URI,"
    + "".join(f"PreviousName_{n}.CONDATE, PreviousName_{n}.CompanyName," for n in range(1, 11))
    + "ConfStmtNextDueDate, ConfStmtLastMadeUpDate"
)

_COMMON_WORDS = (
    "AND SERVICES UK MANAGEMENT THE COMPANY SOLUTIONS PROPERTY CONSULTING GROUP PROPERTIES HOLDINGS CONSULTANCY CO"
    " CONSTRUCTION J INVESTMENTS DEVELOPMENTS ENGINEERING A DESIGN S LONDON ELECTRICAL INTERNATIONAL MEDIA HOUSE"
    " ASSOCIATES M BUSINESS FINANCIAL TRANSPORT R OF TRADING CONSULTANTS HOMES DEVELOPMENT CAPITAL BUILDING CARE"
    " TRAINING CLEANING HEALTH FOOD GLOBAL DIGITAL LOGISTICS C D SYSTEMS TECHNOLOGY LETTINGS ESTATES PARTNERS"
    " MARKETING PLUMBING HEATING ROAD COURT FREEHOLD RESIDENTS SUPPORT EVENTS FITNESS BEAUTY MOTORS TRAVEL CATERING"
    " PROJECTS VENTURES STUDIOS CREATIVE ENTERPRISES MEDICAL DENTAL HAIR KITCHEN BAR CAFE GARDEN LANDSCAPES ROOFING"
    " JOINERY INTERIORS SECURITY RECRUITMENT PRODUCTIONS FILMS MUSIC BOOKS ONLINE DIRECT NORTH SOUTH WEST EAST GREEN"
    " BLUE RED WHITE BLACK SILVER GOLDEN NEW FIRST PRIME ELITE ROYAL CITY PARK HILL RIVER BRIDGE OAK STAR SUN T B P"
)
_COMMON = _COMMON_WORDS.split()
_TOWN_NAMES = (
    "LONDON LONDON LONDON LONDON MANCHESTER BIRMINGHAM GLASGOW BRISTOL EDINBURGH LEEDS NOTTINGHAM LEICESTER SHEFFIELD"
    " LIVERPOOL READING CAMBRIDGE CARDIFF BELFAST"
)
_TOWNS = _TOWN_NAMES.split()
_CATEGORIES = (
    ("Private Limited Company", 4199),
    ("PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)", 108),
    ("Limited Partnership", 56),
    ("PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)", 46),
    ("Limited Liability Partnership", 43),
    ("Community Interest Company", 20),
    ("Charitable Incorporated Organisation", 16),
    ("Public Limited Company", 6),
    ("Private Unlimited Company", 5),
)
_STATUSES = (
    ("Active", 4234),
    ("Active - Proposal to Strike off", 195),
    ("Liquidation", 100),
    ("In Administration", 4),
    ("Live but Receiver Manager on at least one charge", 2),
    ("Voluntary Arrangement", 1),
)
_ACCOUNTS = (
    ("MICRO ENTITY", 1255),
    ("NO ACCOUNTS FILED", 1213),
    ("TOTAL EXEMPTION FULL", 1154),
    ("DORMANT", 527),
    ("UNAUDITED ABRIDGED", 145),
    ("FULL", 102),
    ("SMALL", 68),
    ("GROUP", 28),
)
_ACTIVITIES = (
    "82990 - Other business support service activities n.e.c.",
    "70229 - Management consultancy activities other than financial management",
    "68209 - Other letting and operating of own or leased real estate",
    "62020 - Information technology consultancy activities",
    "96090 - Other service activities n.e.c.",
    "98000 - Residents property management",
    "41202 - Construction of domestic buildings",
    "47910 - Retail sale via mail order houses or via Internet",
    "56101 - Licensed restaurants",
    "43210 - Electrical installation",
    "49410 - Freight transport by road",
    "86900 - Other human health activities",
    "85590 - Other education n.e.c.",
    "01110 - Growing of cereals (except rice), leguminous crops and oil seeds",
    "25990 - Manufacture of other fabricated metal products n.e.c.",
)
_PREFIXES = (("SC", 242), ("NI", 57), ("OC", 38), ("SL", 32), ("LP", 22), ("FC", 17), ("CE", 16))
_STREETS = ("HIGH STREET", "STATION ROAD", "CHURCH LANE", "MILL WAY", "PARK AVENUE", "THE GREEN", "QUEENS DRIVE")
_ONSET_LETTERS = "b br c ch cl d dr f fl g gr h j k kl l m n p pr qu r s sh st t th tr v w z"
_ONSETS = _ONSET_LETTERS.split()
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "ee", "ia", "oo")
_CODAS = ("", "", "", "n", "r", "s", "l", "t", "ck", "nd", "x", "m")


def write(folder: Path, companies: int) -> list[Path]:
    """Write the parts to a folder, as many processes at a time as there are cores, and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(_part, [folder] * PARTS, range(PARTS), [companies] * PARTS))


def _part(folder: Path, part: int, companies: int) -> Path:
    name = f"BasicCompanyData-{SNAPSHOT}-part{part + 1}_{PARTS}"
    first, last = companies * part // PARTS, companies * (part + 1) // PARTS
    file = folder / f"{name}.zip"
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(f"{name}.csv", "w", force_zip64=True) as stream,
    ):
        stream.write(f"{_HEADER}\r\n".encode())
        for start in range(first, last, _BLOCK):
            chance = random.Random(start)  # noqa: S311 - the same register at each run
            stream.write("".join(_rows(chance, start, min(start + _BLOCK, last))).encode())
    return file


def _rows(chance: random.Random, start: int, end: int) -> Iterator[str]:
    count = end - start
    names, former = _names(chance, count), iter(_names(chance, count // 4))
    prefixes, categories, statuses, accounts = (
        _weighted(chance, each, count) for each in (_PREFIXES, _CATEGORIES, _STATUSES, _ACCOUNTS)
    )
    offices = _offices(chance, count)
    for n in range(count):
        serial = start + n
        # One in eight has a prefix; this way no two have one number.
        number = f"{serial + 1_000_000:08}" if serial % 8 else f"{prefixes[n]}{serial // 8:06}"
        year = 1960 + int(66 * chance.random() ** 0.3)
        charges = min(int(chance.paretovariate(1.2)), 60) if chance.random() < 0.14 else 0
        satisfied = chance.randint(0, charges)
        activities = _activities(chance)
        renamed = chance.random()
        previous = [next(former, "") for _ in range(0 if renamed > 0.12 else 1 if renamed > 0.015 else 2)]
        cells = (
            names[n],
            number,
            "" if chance.random() < 0.985 else "THE SECRETARY",
            "",
            *offices[n],
            categories[n],
            statuses[n],
            "United Kingdom",
            "",
            f"{chance.randint(1, 28):02}/{chance.randint(1, 12):02}/{year}",
            str(chance.randint(28, 31)),
            str(chance.randint(1, 12)),
            f"{chance.randint(1, 28):02}/{chance.randint(1, 12):02}/2027",
            "" if accounts[n] == "NO ACCOUNTS FILED" else f"31/{chance.choice(('03', '12', '08'))}/2025",
            accounts[n],
            "",
            f"{chance.randint(1, 28):02}/05/2016" if year < 2015 else "",
            *(str(each) for each in (charges, charges - satisfied, 0, satisfied)),
            *activities,
            "0",
            "0",
            f"http://business.data.gov.uk/id/company/{number}",
            *(cell for name in previous for cell in (f"{chance.randint(1, 28):02}/07/2019", name)),
            *("" for _ in range(20 - 2 * len(previous))),
            f"{chance.randint(1, 28):02}/{chance.randint(1, 12):02}/2027",
            f"{chance.randint(1, 28):02}/{chance.randint(1, 12):02}/2026",
        )
        yield '"' + '","'.join(cells) + '"\r\n'


def _names(chance: random.Random, count: int) -> list[str]:
    lengths = chance.choices((1, 2, 3, 4, 5, 6), (626, 1741, 1328, 549, 198, 95), k=count)
    kinds = chance.choices("cmu", (47, 38, 15), k=sum(lengths))
    common = iter(chance.choices(_COMMON, cum_weights=_COMMON_WEIGHTS, k=kinds.count("c")))
    middling = iter(chance.choices(_MIDDLING, cum_weights=_MIDDLING_WEIGHTS, k=kinds.count("m")))
    words = (next(common) if k == "c" else next(middling) if k == "m" else _invented(chance) for k in kinds)
    return [f"{' '.join(next(words) for _ in range(length))} LIMITED" for length in lengths]


def _invented(chance: random.Random) -> str:
    syllables = chance.choices((2, 3), (2, 1))[0]
    parts = (chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS) for _ in range(syllables))
    return "".join(parts).upper()


def _offices(chance: random.Random, count: int) -> list[tuple[str, ...]]:
    """Parts of the address from line 1 on: one in eight companies is at one of 30,000 addresses, most at few of them."""
    offices: list[tuple[str, ...]] = []
    for _ in range(count):
        place = int(30_000 * chance.random() ** 6) if chance.random() < 0.125 else chance.randrange(40_000_000)
        area = "ABCDEFGHLMNPRSTW"[place % 16] + "ABDEHLNRSTY"[place // 16 % 11]
        town = _TOWNS[place % 29] if place % 29 < len(_TOWNS) else _MIDDLING[place % 1_100]
        offices.append(
            (
                f"{place % 150 + 1} {_MIDDLING[place // 7 % 20_000]} {_STREETS[place % 7]}",
                _MIDDLING[place % 3_000] if place % 3 else "",
                town,
                "" if place % 5 < 3 else f"{_MIDDLING[place % 90]}SHIRE",
                ("", "ENGLAND", "UNITED KINGDOM")[place % 3],
                f"{area}{place % 20 + 1} {place // 20 % 9 + 1}{'ABDEFGHJ'[place // 180 % 8]}{'LNPQRSTU'[place // 9 % 8]}",
            )
        )
    return offices


def _activities(chance: random.Random) -> Sequence[str]:
    number = chance.choices((0, 1, 2, 3, 4), (174, 3816, 348, 104, 95))[0]
    found = chance.sample(_ACTIVITIES, number) if number else ["None Supplied"]
    return [*found, *("" for _ in range(4 - len(found)))]


def _weighted(chance: random.Random, table: Sequence[tuple[str, int]], count: int) -> list[str]:
    return chance.choices([text for text, _ in table], [weight for _, weight in table], k=count)


def _zipf(count: int) -> list[float]:
    return list(accumulate(1 / (rank + 3) for rank in range(count)))


_COMMON_WEIGHTS = _zipf(len(_COMMON))
_MIDDLING = [_invented(random.Random(n)) for n in range(40_000)]  # noqa: S311
_MIDDLING_WEIGHTS = _zipf(len(_MIDDLING))
