-- One row per campaign, ad group, keyword or product of the channels with figures: their sums.
-- `{inRange}` is the condition on figures.
SELECT channel, {attributes}, {sums}
FROM {figures}
WHERE {inRange}
  AND {filter}
GROUP BY channel, {id}
