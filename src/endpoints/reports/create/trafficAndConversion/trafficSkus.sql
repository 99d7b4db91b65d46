-- One row per SKU of the channel that had traffic or sold units in either window, or product of which no SKU is told: the first `most` of
-- them behind the one with so many `views`, `product` and `name`, the most viewed first. A SKU belongs to the product that the last of its
-- figures names; where none names any, to that of the catalogue.
-- An empty prior window ends before it begins and is not compared with. Revenue in `currency` is summed exactly; the other at the rate of
-- its date, for which `factors` holds the `days` of each of `currencies` one after the other, beginning with `firstFactor`.
-- Who is in the page is found with few and short columns, and texts are read for the page alone: memory holds many products so.
WITH
  told AS (
    SELECT
      sku, product_id, max(day) AS last_day,
      sum(CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN page_views ELSE 0 END) AS page_views,
      max(CASE WHEN page_views + sessions + units > 0 THEN 1 ELSE 0 END) AS is_active
    FROM traffic
    WHERE channel = {channel:Int32}
      AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
    GROUP BY sku, product_id
  ),
  items AS (
    SELECT
      sku,
      CASE WHEN sku = '' THEN product_id ELSE '' END AS product_alone,
      argMax(product_id, (last_day, product_id)) FILTER (WHERE product_id <> '') AS product_id,
      CAST(sum(page_views) AS BIGINT) AS page_views
    FROM told
    GROUP BY sku, CASE WHEN sku = '' THEN product_id ELSE '' END
    HAVING max(is_active) = 1
  ),
  owned AS (
    SELECT items.sku AS sku, product_alone, page_views, coalesce(items.product_id, nullif(entry.product_id, '')) AS own_product_id
    FROM items LEFT JOIN product AS entry ON entry.channel = {channel:Int32} AND entry.sku = items.sku
  ),
  page AS (
    SELECT sku, product_alone, own_product_id, coalesce(own_product_id, sku) AS product_sku
    FROM owned
    WHERE page_views < {views:Int64} OR (page_views = {views:Int64} AND (
      coalesce(own_product_id, sku) > {product:String} OR (coalesce(own_product_id, sku) = {product:String} AND sku > {name:String})
    ))
    ORDER BY page_views DESC, coalesce(own_product_id, sku), sku
    LIMIT {most:Int64}
  ),
  offered AS (
    SELECT
      page.sku AS sku, product_alone, product_sku, entry.title AS title, entry.brand AS brand, entry.price AS price,
      CASE WHEN page.sku = '' OR coalesce(entry.title, '') = '' OR entry.brand = '' THEN own_product_id END AS sought
    FROM page LEFT JOIN product AS entry ON entry.channel = {channel:Int32} AND entry.sku = page.sku
  ),
  described AS (
    SELECT
      offered.sku AS sku, product_alone, product_sku,
      coalesce(nullif(offered.title, ''), argMin(other.title, other.sku) FILTER (WHERE other.title <> ''), '') AS title,
      coalesce(nullif(offered.brand, ''), argMin(other.brand, other.sku) FILTER (WHERE other.brand <> ''), '') AS brand,
      coalesce(
        CASE
          WHEN offered.sku <> '' THEN offered.price
          WHEN min(other.price) FILTER (WHERE other.price > amount(0)) = max(other.price) THEN max(other.price)
        END,
        amount(0)
      ) AS price
    FROM offered LEFT JOIN product AS other ON other.channel = {channel:Int32} AND other.product_id = sought AND other.product_id <> ''
    GROUP BY offered.sku, product_alone, product_sku, offered.title, offered.brand, offered.price
  ),
  figures AS (
    SELECT
      sku, CASE WHEN sku = '' THEN product_id ELSE '' END AS product_alone,
      page_views, sessions, mobile_sessions, buy_box_weighted, buy_box_views, units, revenue,
      CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN 1 ELSE 0 END AS is_current,
      CASE WHEN day >= {priorFirst:Date} AND day <= {priorLast:Date} THEN 1 ELSE 0 END AS is_prior,
      CASE
        WHEN {converting:Int32} = 0 OR currency = {currency:String} OR revenue = amount(0) THEN 0
        ELSE {factors:Array(Float64)}[
          (index_of({currencies:Array(String)}, currency) - 1) * {days:Int32} + date_diff('day', {firstFactor:Date}, day) + 1
        ]
      END AS factor
    FROM traffic
    WHERE channel = {channel:Int32}
      AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
  ),
  sums AS (
    SELECT
      title, product_sku, described.sku AS sku, brand, price,
      CAST(sum(CASE WHEN is_current = 1 THEN page_views ELSE 0 END) AS BIGINT) AS page_views,
      CAST(sum(CASE WHEN is_current = 1 THEN sessions ELSE 0 END) AS BIGINT) AS sessions,
      CAST(sum(CASE WHEN is_current = 1 THEN mobile_sessions ELSE 0 END) AS BIGINT) AS mobile_sessions,
      sum(CASE WHEN is_current = 1 THEN buy_box_weighted ELSE amount(0) END) AS buy_box_weighted,
      CAST(sum(CASE WHEN is_current = 1 THEN buy_box_views ELSE 0 END) AS BIGINT) AS buy_box_views,
      CAST(sum(CASE WHEN is_current = 1 THEN units ELSE 0 END) AS BIGINT) AS units,
      sum(CASE WHEN is_current = 1 AND factor = 0 THEN revenue ELSE amount(0) END) AS revenue,
      CASE WHEN {converting:Int32} = 1 THEN sum(CASE WHEN is_current = 1 THEN CAST(revenue AS DOUBLE) * factor ELSE 0 END) ELSE 0 END AS revenue_converted,
      CASE WHEN {comparing:Int32} = 1 THEN CAST(sum(CASE WHEN is_prior = 1 THEN page_views ELSE 0 END) AS BIGINT) ELSE 0 END AS prior_page_views,
      CASE WHEN {comparing:Int32} = 1 THEN CAST(sum(CASE WHEN is_prior = 1 THEN sessions ELSE 0 END) AS BIGINT) ELSE 0 END AS prior_sessions,
      CASE WHEN {comparing:Int32} = 1 THEN CAST(sum(CASE WHEN is_prior = 1 THEN mobile_sessions ELSE 0 END) AS BIGINT) ELSE 0 END AS prior_mobile_sessions,
      CASE WHEN {comparing:Int32} = 1 THEN sum(CASE WHEN is_prior = 1 THEN buy_box_weighted ELSE amount(0) END) ELSE amount(0) END AS prior_buy_box_weighted,
      CASE WHEN {comparing:Int32} = 1 THEN CAST(sum(CASE WHEN is_prior = 1 THEN buy_box_views ELSE 0 END) AS BIGINT) ELSE 0 END AS prior_buy_box_views,
      CASE WHEN {comparing:Int32} = 1 THEN CAST(sum(CASE WHEN is_prior = 1 THEN units ELSE 0 END) AS BIGINT) ELSE 0 END AS prior_units,
      CASE WHEN {comparing:Int32} = 1 THEN sum(CASE WHEN is_prior = 1 AND factor = 0 THEN revenue ELSE amount(0) END) ELSE amount(0) END AS prior_revenue,
      CASE
        WHEN {comparing:Int32} = 1 AND {converting:Int32} = 1 THEN sum(CASE WHEN is_prior = 1 THEN CAST(revenue AS DOUBLE) * factor ELSE 0 END) ELSE 0
      END AS prior_revenue_converted
    FROM described JOIN figures ON figures.sku = described.sku AND figures.product_alone = described.product_alone
    GROUP BY title, product_sku, described.sku, brand, price
  )
SELECT * FROM sums
ORDER BY page_views DESC, product_sku, sku
