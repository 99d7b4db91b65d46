/** Facts and rows of the report of inventory to replenish. */
import { inventoryReplenishment } from '../../src/endpoints/reports/create/inventoryReplenishment/report.ts';
import { rowsOf } from '../table.ts';
import type { Conformance } from './report.ts';

/** The names of the columns. */
export const inventoryColumns =
  'sku,asin,productName,storageType,dailySales7,dailySales30,dailySales60,dailySales90,available,' +
  'reservedQuantity,inboundQuantity,unfulfillableQuantity,fcTransfer,awdOnhandQuantity,' +
  'awdInboundQuantity,totalInventory,daysCover,projectedOOSDate,estimatedReorderDate,replenUnits,' +
  'replenCases,unitsPerCase,storageVolume,estimatedStorageCostNextMonth';

/** A stock, and how long it lasts. */
export const inventoryConformance: Conformance = {
  reportType: 'inventoryReplenishment',
  table: inventoryReplenishment,
  channel: { timezone: 'America/Los_Angeles' },
  facts: {
    products: rowsOf(`
      sku, productId, title,  unitsPerCase, fulfilledByMarketplace
      A,   B0,        Kettle, 12,           true`),
    // A snapshot of the day before has no row.
    inventory: rowsOf(`
      date,       sku, asin, title,    storageType,   available, reserved, inbound, unfulfillable, fcTransfer, awdOnhand, awdInbound, unitsShipped7, unitsShipped30, unitsShipped60, unitsShipped90, storageVolume, estimatedStorageCostNextMonth
      2025-03-10, A,   B1,   Reported, Standard-Size, 100,       5,        20,      2,             3,          30,        10,         7,             45,             60,             100,            1.25,          0.345
      2025-03-10, B,   ,     ,         ,              0,         ,         ,        ,              ,           1,         ,           ,              ,               ,               ,               0.5,           1.11
      2025-03-09, OLD, ,     ,         ,              4`),
  },
  columns: inventoryColumns,
  questions: [
    {
      // Velocity 45 / 30 = 1.5; position 100 + 5 + 20 + 30 + 10 = 165. 100 / 1.5 = 66.67 days: to
      // 15 May. 165 / 1.5 = 110 days, less 30 + 14 is 66: again on 15 May. 1.5 x (30 + 14 + 60)
      // = 156, less 165 is nothing. Nothing is known of what B sells.
      rows: `
        B||||||||0|0|0|0|0|1|0|1|0.0|2025-03-10|||||0.5|1.11
        A|B1|Kettle|Standard-Size|1.00|1.50|1.00|1.11|100|5|20|2|3|30|10|167|66.7|2025-05-15|2025-05-15|0|0|12|1.25|0.35`,
    },
  ],
};
