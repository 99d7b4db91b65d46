-- One row per financial event of `posted`, with each figure and each number of units in a column of
-- its own. Tax of shipping, gift wrap and promotions counts with sales; the operator's own rows of
-- other lines have theirs in the amount. Units are those that unit costs are multiplied by: of the
-- units sold, `units_sent` are those that the seller shipped, and `units_unassigned` those of which
-- the event does not say who shipped them.
SELECT
  {grain}, cost_day, sku AS event_sku, currency,
  CASE WHEN line = 'sales' THEN amount ELSE amount(0) END AS sales,
  CASE WHEN line = 'promotions' THEN amount ELSE amount(0) END AS promotions,
  CASE WHEN line = 'refunds' THEN amount ELSE amount(0) END AS refunds,
  CASE WHEN line = 'reimbursements' THEN amount ELSE amount(0) END AS reimbursements,
  CASE WHEN line = 'otherIncome' THEN amount ELSE amount(0) END AS other_income,
  CASE WHEN line = 'advertisingSpend' THEN amount ELSE amount(0) END AS advertising,
  CASE WHEN line = 'sellingFees' THEN amount ELSE amount(0) END AS selling_fees,
  CASE WHEN line = 'shippingFees' THEN amount ELSE amount(0) END AS shipping_fees,
  CASE WHEN line = 'refundsAndReturnsOverheads' THEN amount ELSE amount(0) END AS overheads,
  CASE WHEN line = 'cogs' THEN amount ELSE amount(0) END AS cogs,
  CASE WHEN line = 'otherExpenses' THEN amount ELSE amount(0) END AS other_expenses,
  CASE
    WHEN line = 'sales' OR (line IN ('otherIncome', 'promotions') AND source <> 'rows') THEN tax
    ELSE amount(0)
  END AS sales_tax,
  CASE WHEN line = 'refunds' THEN tax ELSE amount(0) END AS refunds_tax,
  CASE WHEN line = 'sales' THEN quantity ELSE 0 END AS units_sold,
  CASE WHEN line = 'refunds' THEN quantity ELSE 0 END AS units_returned,
  CASE WHEN line = 'sales' AND fulfillment = 'MFN' THEN quantity ELSE 0 END AS units_sent,
  CASE WHEN line = 'sales' AND fulfillment = '' THEN quantity ELSE 0 END AS units_unassigned
FROM {posted} AS posted
