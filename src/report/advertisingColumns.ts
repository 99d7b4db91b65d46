/** The columns of advertising figures. */
import { amountColumn, countColumn } from '../figures/columns.ts';

/** The columns shared by several metrics; `Ntb` is about customers new to the brand. */
export const advertisingColumns = {
  impressions: countColumn('impressions'),
  clicks: countColumn('clicks'),
  cost: amountColumn('cost'),
  sales: amountColumn('sales'),
  conversions: countColumn('conversions'),
  units: countColumn('units'),
  unitsSameSku: countColumn('units_same_sku'),
  ordersNtb: countColumn('orders_ntb'),
  unitsNtb: countColumn('units_ntb'),
  salesNtb: amountColumn('sales_ntb'),
};
