-- One row per `answer` and currency with financial events: the end of profit.sql and
-- profitOfFew.sql. `rows` are events or sums of them with the columns of `grain`, `event_sku`,
-- `cost_day`, whose date says which unit costs hold, `currency`, figures and units. Credits are
-- positive, debits negative. A row that only moves money adds nothing, but leaves its row. A unit
-- sold costs the last unit cost that began on or before the date, in the currency of that cost, and
-- its shipping cost where the seller shipped it and the SKU is not one of `fulfilled`. The costs of
-- goods that a source reports count where there is no unit cost.
  sold AS (
    SELECT
      {grain}, event_sku, cost_day, units_sold, units_returned,
      units_sent + CASE
        WHEN units_unassigned <> 0 AND event_sku NOT IN (SELECT sku FROM fulfilled)
        THEN units_unassigned
        ELSE 0
      END AS units_shipped
    FROM {rows} AS event
    WHERE units_sold <> 0 OR units_returned <> 0 OR units_sent <> 0 OR units_unassigned <> 0
  ),
  costed AS (
    SELECT
      {e.grain},
      c.cogs_currency AS goods_currency,
      CASE
        WHEN c.shipping_cost <> 0 AND e.units_shipped <> 0 THEN c.shipping_cost_currency ELSE ''
      END AS shipping_currency,
      sum(CAST(-e.units_sold AS DECIMAL(38,0)) * c.cogs) AS goods,
      sum(CAST(e.units_returned AS DECIMAL(38,0)) * c.cogs) AS goods_returned,
      sum(CAST(-e.units_shipped AS DECIMAL(38,0)) * c.shipping_cost) AS shipping
    FROM sold AS e JOIN costs AS c
      ON c.sku = e.event_sku AND e.cost_day >= c.effective_from AND e.cost_day < c.effective_until
    GROUP BY {e.grain}, goods_currency, shipping_currency
  ),
  parts AS (
    SELECT {grain}, currency, {sumsOfEvents}
    FROM {rows} AS event
    GROUP BY {grain}, currency
    UNION ALL
    SELECT {grain}, goods_currency, {sumsOfGoods}
    FROM costed
    UNION ALL
    SELECT {grain}, shipping_currency, {sumsOfShipping}
    FROM costed
    WHERE shipping_currency <> ''
    UNION ALL
    SELECT {e.grain}, e.currency, {sumsOfReportedGoods}
    FROM {rows} AS e LEFT JOIN costs AS c
      ON c.sku = e.event_sku AND e.cost_day >= c.effective_from AND e.cost_day < c.effective_until
    WHERE e.cogs <> amount(0) AND c.sku IS NULL
  )
SELECT {columns}, currency, {sums}
FROM parts
GROUP BY {answer}, currency
