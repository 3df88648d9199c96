"""Every source of facts by its name; the register is loaded by an act of its own (`loading.load_register`)."""

from credence.credit.sources import (
    charges,
    filing_history,
    gazette,
    insolvency,
    officers,
    payment_practices,
    persons_with_control,
)

OFFERED = {
    module.SOURCE.name: module.SOURCE
    for module in (
        persons_with_control,
        gazette,
        payment_practices,
        officers,
        charges,
        insolvency,
        filing_history,
    )
}
