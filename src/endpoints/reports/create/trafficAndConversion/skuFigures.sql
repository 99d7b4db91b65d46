-- One row per SKU with traffic in a window, `first` to `last`: of `keys`, or of all where it is
-- empty.
WITH
  {skuFacts.sql}
{figures.sql}
