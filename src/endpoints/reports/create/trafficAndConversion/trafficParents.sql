-- One row per parent product of the channel, or product without a parent, that had traffic or sold units in either window: the first `most`
-- of them behind the one with so many `views` and `product`, the most viewed first. A SKU belongs to the product and the parent that the
-- last of its figures names; where none names any, to those of the catalogue.
-- An empty prior window ends before it begins and is not compared with. Revenue in `currency` is summed exactly; the other at the rate of
-- its date, for which `factors` holds the `days` of each of `currencies` one after the other, beginning with `firstFactor`.
-- Who is in the page is found with few and short columns, and titles are read for the page alone: memory holds many products so.
WITH
  told AS (
    SELECT
      sku, product_id, parent_product_id, max(day) AS last_day,
      sum(CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN page_views ELSE 0 END) AS page_views,
      max(CASE WHEN page_views + sessions + units > 0 THEN 1 ELSE 0 END) AS is_active
    FROM traffic
    WHERE channel = {channel:Int32}
      AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
    GROUP BY sku, product_id, parent_product_id
  ),
  items AS (
    SELECT
      sku,
      CASE WHEN sku = '' THEN product_id ELSE '' END AS product_alone,
      argMax(product_id, (last_day, product_id)) FILTER (WHERE product_id <> '') AS product_id,
      argMax(parent_product_id, (last_day, product_id)) FILTER (WHERE parent_product_id <> '') AS parent_product_id,
      CAST(sum(page_views) AS BIGINT) AS page_views,
      max(is_active) AS is_active
    FROM told
    GROUP BY sku, CASE WHEN sku = '' THEN product_id ELSE '' END
  ),
  products AS (
    SELECT product_id, max(nullif(parent_product_id, '')) AS parent_product_id, min(CASE WHEN title <> '' THEN sku END) AS titled_sku
    FROM product
    WHERE channel = {channel:Int32} AND product_id <> ''
    GROUP BY product_id
  ),
  owned AS (
    SELECT
      items.sku AS sku, product_alone, page_views, is_active,
      coalesce(items.product_id, nullif(entry.product_id, '')) AS own_product_id,
      coalesce(items.parent_product_id, nullif(entry.parent_product_id, '')) AS own_parent_product_id,
      CASE WHEN entry.title <> '' THEN items.sku END AS titled_sku
    FROM items LEFT JOIN product AS entry ON entry.channel = {channel:Int32} AND entry.sku = items.sku
  ),
  children AS (
    SELECT
      sku, product_alone, page_views, is_active, own_product_id,
      coalesce(own_parent_product_id, products.parent_product_id, own_product_id, sku) AS product_sku,
      coalesce(owned.titled_sku, products.titled_sku) AS titled_sku
    FROM owned LEFT JOIN products ON products.product_id = own_product_id
  ),
  page AS (
    SELECT
      product_sku,
      CAST(sum(page_views) AS BIGINT) AS page_views,
      argMin(titled_sku, (-page_views, sku, coalesce(own_product_id, ''))) FILTER (WHERE titled_sku IS NOT NULL) AS titled_sku
    FROM children
    GROUP BY product_sku
    HAVING max(is_active) = 1 AND (sum(page_views) < {views:Int64} OR (sum(page_views) = {views:Int64} AND product_sku > {product:String}))
    ORDER BY sum(page_views) DESC, product_sku
    LIMIT {most:Int64}
  ),
  members AS (
    SELECT children.sku AS sku, children.product_alone AS product_alone, page.product_sku AS product_sku, page.titled_sku AS titled_sku
    FROM children JOIN page ON page.product_sku = children.product_sku
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
      product_sku, titled_sku,
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
    FROM members JOIN figures ON figures.sku = members.sku AND figures.product_alone = members.product_alone
    GROUP BY product_sku, titled_sku
  )
SELECT
  coalesce(entry.title, '') AS title, product_sku, page_views, sessions, mobile_sessions, buy_box_weighted,
  buy_box_views, units, revenue, revenue_converted,
  prior_page_views, prior_sessions, prior_mobile_sessions, prior_buy_box_weighted,
  prior_buy_box_views, prior_units, prior_revenue, prior_revenue_converted
FROM sums
LEFT JOIN products AS family ON family.product_id = sums.product_sku
LEFT JOIN product AS entry ON entry.channel = {channel:Int32} AND entry.sku = coalesce(family.titled_sku, sums.titled_sku)
ORDER BY page_views DESC, product_sku
