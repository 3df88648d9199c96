"""Every source of facts by its name; the register is loaded by an act of its own (`loading.load_register`)."""

from credence.datasets.sources import accounts, gazette, payment_practices, persons_with_control
from credence.datasets.sources.public_register import charges, filing_history, insolvency, officers

SOURCES = {
    module.SOURCE.name: module.SOURCE
    for module in (
        accounts,
        persons_with_control,
        gazette,
        payment_practices,
        officers,
        charges,
        insolvency,
        filing_history,
    )
}
