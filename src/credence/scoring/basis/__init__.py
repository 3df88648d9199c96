"""What scores, reservations and published models share: days, ratios, rates of sectors, the scale, amounts in words."""
