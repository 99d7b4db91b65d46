/** The inventory reports that state the stock of SKUs, by precedence. */
export const stockReports = ['rows', 'planning', 'unsuppressed', 'restock'] as const;
