-- One row per product of the channel that had traffic or sold units in either window, the most viewed first.
-- `parents` 1 asks for a row per parent product, or product without a parent; 0 for one per SKU, or product of which no SKU is told. A SKU
-- belongs to the product and the parent that the last of its figures names; where none names any, to those of the catalogue.
-- An empty prior window ends before it begins. Revenue in `currency` is summed exactly; the other at the rate of its date, for which
-- `factors` holds the `days` of each of `currencies` one after the other, beginning with `firstFactor`.
WITH
  figures AS (
    SELECT
      day, sku, CASE WHEN sku = '' THEN product_id ELSE '' END AS product_alone, product_id, parent_product_id,
      page_views, sessions, mobile_sessions, buy_box_weighted, buy_box_views, units, revenue,
      CASE WHEN day >= {first:Date} AND day <= {last:Date} THEN 1 ELSE 0 END AS is_current,
      CASE WHEN day >= {priorFirst:Date} AND day <= {priorLast:Date} THEN 1 ELSE 0 END AS is_prior,
      CASE
        WHEN {converting:Int32} = 0 OR currency = {currency:String} OR revenue = amount(0) THEN 0
        ELSE {factors:Array(Float64)}[
          (place_in({currencies:Array(String)}, currency) - 1) * {days:Int32} + date_diff('day', {firstFactor:Date}, day) + 1
        ]
      END AS factor
    FROM traffic
    WHERE channel = {channel:Int32}
      AND ((day >= {first:Date} AND day <= {last:Date}) OR (day >= {priorFirst:Date} AND day <= {priorLast:Date}))
  ),
  items AS (
    SELECT
      sku,
      argMax(product_id, (day, product_id)) FILTER (WHERE product_id <> '') AS product_id,
      argMax(parent_product_id, (day, product_id)) FILTER (WHERE parent_product_id <> '') AS parent_product_id,
      sum(CASE WHEN is_current = 1 THEN page_views ELSE 0 END) AS page_views,
      sum(CASE WHEN is_current = 1 THEN sessions ELSE 0 END) AS sessions,
      sum(CASE WHEN is_current = 1 THEN mobile_sessions ELSE 0 END) AS mobile_sessions,
      sum(CASE WHEN is_current = 1 THEN buy_box_weighted ELSE amount(0) END) AS buy_box_weighted,
      sum(CASE WHEN is_current = 1 THEN buy_box_views ELSE 0 END) AS buy_box_views,
      sum(CASE WHEN is_current = 1 THEN units ELSE 0 END) AS units,
      sum(CASE WHEN is_current = 1 AND factor = 0 THEN revenue ELSE amount(0) END) AS revenue,
      sum(CASE WHEN is_current = 1 THEN CAST(revenue AS DOUBLE) * factor ELSE 0 END) AS revenue_converted,
      sum(CASE WHEN is_prior = 1 THEN page_views ELSE 0 END) AS prior_page_views,
      sum(CASE WHEN is_prior = 1 THEN sessions ELSE 0 END) AS prior_sessions,
      sum(CASE WHEN is_prior = 1 THEN mobile_sessions ELSE 0 END) AS prior_mobile_sessions,
      sum(CASE WHEN is_prior = 1 THEN buy_box_weighted ELSE amount(0) END) AS prior_buy_box_weighted,
      sum(CASE WHEN is_prior = 1 THEN buy_box_views ELSE 0 END) AS prior_buy_box_views,
      sum(CASE WHEN is_prior = 1 THEN units ELSE 0 END) AS prior_units,
      sum(CASE WHEN is_prior = 1 AND factor = 0 THEN revenue ELSE amount(0) END) AS prior_revenue,
      sum(CASE WHEN is_prior = 1 THEN CAST(revenue AS DOUBLE) * factor ELSE 0 END) AS prior_revenue_converted
    FROM figures
    GROUP BY sku, product_alone
  ),
  catalogue AS (
    SELECT sku, nullif(product_id, '') AS product_id, nullif(parent_product_id, '') AS parent_product_id, nullif(title, '') AS title, brand, price
    FROM product
    WHERE channel = {channel:Int32}
  ),
  products AS (
    SELECT
      product_id,
      max(nullif(parent_product_id, '')) AS parent_product_id,
      argMin(title, sku) FILTER (WHERE title <> '') AS title,
      argMin(brand, sku) FILTER (WHERE brand <> '') AS brand,
      CASE WHEN min(price) FILTER (WHERE price > amount(0)) = max(price) THEN max(price) ELSE amount(0) END AS price
    FROM product
    WHERE channel = {channel:Int32} AND product_id <> ''
    GROUP BY product_id
  ),
  offered AS (
    SELECT
      items.*,
      coalesce(items.product_id, catalogue.product_id, '') AS own_product_id,
      coalesce(items.parent_product_id, catalogue.parent_product_id) AS own_parent_product_id,
      catalogue.title AS own_title,
      nullif(catalogue.brand, '') AS own_brand,
      catalogue.price AS own_price
    FROM items LEFT JOIN catalogue ON catalogue.sku = items.sku
  ),
  children AS (
    SELECT
      offered.*,
      coalesce(
        CASE WHEN {parents:Int32} = 1 THEN coalesce(own_parent_product_id, products.parent_product_id) END,
        nullif(own_product_id, ''),
        offered.sku
      ) AS product_sku,
      CASE WHEN {parents:Int32} = 1 THEN '' ELSE offered.sku END AS listed_sku,
      coalesce(own_title, products.title, '') AS title,
      coalesce(own_brand, products.brand, '') AS brand,
      coalesce(CASE WHEN offered.sku = '' THEN products.price ELSE own_price END, amount(0)) AS price
    FROM offered LEFT JOIN products ON products.product_id = own_product_id
  ),
  listed AS (
    SELECT
      product_sku,
      listed_sku,
      argMin(title, (-page_views, sku, own_product_id)) FILTER (WHERE title <> '') AS title,
      max(brand) AS brand,
      max(price) AS price,
      CAST(sum(page_views) AS BIGINT) AS page_views,
      CAST(sum(sessions) AS BIGINT) AS sessions,
      CAST(sum(mobile_sessions) AS BIGINT) AS mobile_sessions,
      sum(buy_box_weighted) AS buy_box_weighted,
      CAST(sum(buy_box_views) AS BIGINT) AS buy_box_views,
      CAST(sum(units) AS BIGINT) AS units,
      sum(revenue) AS revenue,
      sum(revenue_converted) AS revenue_converted,
      CAST(sum(prior_page_views) AS BIGINT) AS prior_page_views,
      CAST(sum(prior_sessions) AS BIGINT) AS prior_sessions,
      CAST(sum(prior_mobile_sessions) AS BIGINT) AS prior_mobile_sessions,
      sum(prior_buy_box_weighted) AS prior_buy_box_weighted,
      CAST(sum(prior_buy_box_views) AS BIGINT) AS prior_buy_box_views,
      CAST(sum(prior_units) AS BIGINT) AS prior_units,
      sum(prior_revenue) AS prior_revenue,
      sum(prior_revenue_converted) AS prior_revenue_converted
    FROM children
    GROUP BY product_sku, listed_sku
    HAVING sum(page_views + sessions + units + prior_page_views + prior_sessions + prior_units) > 0
  )
SELECT
  coalesce(CASE WHEN {parents:Int32} = 1 THEN products.title END, listed.title, '') AS title,
  product_sku,
  listed_sku AS sku,
  listed.brand AS brand,
  listed.price AS price,
  page_views, sessions, mobile_sessions, buy_box_weighted,
  buy_box_views, units, revenue, revenue_converted,
  prior_page_views, prior_sessions, prior_mobile_sessions, prior_buy_box_weighted,
  prior_buy_box_views, prior_units, prior_revenue, prior_revenue_converted
FROM listed LEFT JOIN products ON products.product_id = product_sku
ORDER BY page_views DESC, product_sku, sku
