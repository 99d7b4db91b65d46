-- One row per event of the channel that is the tax of an order, beside its prices: the order.
SELECT order_id
FROM finance_event
WHERE channel = {channel:Int32} AND line IN ('sales', 'refunds') AND amount = amount(0)
  AND (tax <> amount(0) OR contains(lower(code), 'tax') OR contains(lower(code), 'vat'))
