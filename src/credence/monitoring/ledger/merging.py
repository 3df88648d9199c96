"""What the accounts of a ledger change of the customers of a portfolio."""

import datetime as dt
from collections.abc import Mapping, Sequence

import msgspec

from credence.companies.words import joined_words
from credence.monitoring.ledger.accounts import Account
from credence.store.customers import Customer, Merge, Merged, Owed
from credence.store.ledger_uploads import LedgerUpload


class NewerLedger(Exception):
    """A customer is in a ledger of a later day, which this one would replace."""

    def __init__(self, day: dt.date) -> None:
        super().__init__(day.isoformat())
        self.day = day


def merge_of(
    accounts: Sequence[Account], upload: LedgerUpload, *, settles: bool, replaces_newer: bool = False
) -> Merge:
    """Return the function that merges accounts into the customers of the portfolio of an upload.

    A customer keeps its company, unless the ledger has another number or another name. With `settles`, customers that the
    ledger does not have owe nothing on its day. It raises NewerLedger, unless `replaces_newer`, if it would change a
    customer whose ledger is of a later day.
    """
    as_of = upload.as_of or dt.date.min

    def merge(before: Mapping[str, Customer], of_list: Mapping[str, str]) -> Merged:
        made = [_customer(each, upload, as_of, before.get(each.reference), of_list) for each in accounts]
        here = {each.reference for each in accounts}
        gone = [each for each in before.values() if each.reference not in here and each.owed.balance] if settles else []
        newest = max((each.as_of for each in (*gone, *(before[name] for name in here & before.keys()))), default=as_of)
        if newest > as_of and not replaces_newer:
            raise NewerLedger(newest)
        settled = [msgspec.structs.replace(each, owed=Owed(), as_of=as_of, upload=upload.id) for each in gone]
        added = sum(each.reference not in before for each in accounts)
        return Merged([*made, *settled], added, len(made) - added, len(settled))

    return merge


def _customer(
    account: Account, upload: LedgerUpload, as_of: dt.date, before: Customer | None, of_list: Mapping[str, str]
) -> Customer:
    made = Customer(
        portfolio=upload.portfolio,
        reference=account.reference,
        name=account.name,
        owed=account.owed,
        currency=account.currency,
        as_of=as_of,
        upload=upload.id,
        postcode=account.postcode,
    )
    if account.company:
        return msgspec.structs.replace(made, company=account.company, state="number")
    if before is not None and _is_same(before, account):
        return msgspec.structs.replace(made, company=before.company, state=before.state, candidates=before.candidates)
    of_reference = of_list.get(account.reference, "")
    return msgspec.structs.replace(made, company=of_reference, state="list") if of_reference else made


def _is_same(before: Customer, account: Account) -> bool:
    """Return whether a customer is still the one whose company was found or searched."""
    is_searched_again = before.state in ("none", "proposed", "waiting") and before.postcode != account.postcode
    return joined_words(before.name) == joined_words(account.name) and not is_searched_again
