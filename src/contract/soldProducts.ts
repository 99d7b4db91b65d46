/** The columns that sold products may be sorted by. */
export const soldProductColumns = [
  'productId',
  'title',
  'sku',
  'productSku',
  'linkUrl',
  'imageUrl',
  'price',
  'totalSales',
  'unitsSold',
  'avPrice',
  'lastSold',
  'noQuantitySinceTime',
  'acos',
  'tacos',
] as const;

/** A column that sold products may be sorted by. */
export type SoldProductColumn = (typeof soldProductColumns)[number];
