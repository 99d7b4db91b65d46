-- One row per campaign, ad group, keyword or product of the channels with figures in the range:
-- their sums.
SELECT channel, {id}, {sums}
FROM {figures} AS figure
GROUP BY channel, {id}
