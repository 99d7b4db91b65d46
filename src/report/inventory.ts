/** The reports of inventory that have the stock of a SKU, by precedence. */
export const stockReports = ['rows', 'planning', 'unsuppressed', 'restock'] as const;
