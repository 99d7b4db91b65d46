-- One row per order line of which this condition says that no document states its tax.
(tax_basis = 'unstated' AND status <> 'Canceled' AND item_price <> amount(0))
