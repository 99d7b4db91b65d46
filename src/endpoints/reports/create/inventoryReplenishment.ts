import { columnsOf, type ReportKind } from './kind.ts';

const columns = columnsOf(
  [
    ...['sku', 'asin', 'productName', 'storageType', 'dailySales7', 'dailySales30', 'dailySales60', 'dailySales90', 'available'],
    ...['reservedQuantity', 'inboundQuantity', 'unfulfillableQuantity', 'fcTransfer', 'awdOnhandQuantity', 'awdInboundQuantity'],
    ...['totalInventory', 'daysCover', 'projectedOOSDate', 'estimatedReorderDate', 'replenUnits', 'replenCases', 'unitsPerCase'],
    ...['storageVolume', 'estimatedStorageCostNextMonth'],
  ],
  ['sku', 'asin', 'productName', 'storageType', 'projectedOOSDate', 'estimatedReorderDate'],
);

/** What to send to the marketplace's warehouses, and when. */
export const inventoryReplenishment: ReportKind<'inventoryReplenishment'> = {
  reportType: 'inventoryReplenishment',
  columns: () => columns,
  rows: async () => {},
};
