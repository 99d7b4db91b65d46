-- One row per parent product with traffic in a window, `first` to `last`: of `keys`, or of all
-- where it is empty.
WITH
  {parentFacts.sql}
{figures.sql}
