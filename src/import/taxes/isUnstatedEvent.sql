-- One row per financial event of which this condition says that no document states its tax:
-- principal, shipping, gift wrap, their promotions and refunds, of orders without a row of tax.
(
  order_id <> '' AND source <> 'rows' AND amount <> amount(0)
  AND (
    line IN ('sales', 'refunds')
    OR (
      line = 'promotions'
      AND NOT contains(lower(code), 'fee') AND NOT contains(lower(code), 'points')
    )
    OR (line = 'otherIncome' AND (
      contains(lower(code), 'shipping') OR contains(lower(code), 'postage')
      OR contains(lower(code), 'gift')
    ))
  )
  AND order_id NOT IN ({taxedOrders.sql})
)
