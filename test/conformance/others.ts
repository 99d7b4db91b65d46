/** Facts and rows of the reports that no plain recomputation equals. */
import { channelProfitAndLoss } from '../../src/endpoints/reports/create/channelProfitAndLoss/report.ts';
import { inventoryReplenishment } from '../../src/endpoints/reports/create/inventoryReplenishment/report.ts';
import {
  productsByPages,
  salesByProduct,
} from '../../src/endpoints/reports/create/salesByProduct/report.ts';
import { rowsOf } from '../table.ts';
import { conformanceOf } from './report.ts';

/** Financial events, one after another. */
export const financeEvents = (csv: string) =>
  rowsOf(csv).map((row, place) => ({ eventId: `event-${place}`, ...row }));

/** Earnings of a store, and how they are shown. */
export const profitConformance = {
  ...conformanceOf('channelProfitAndLoss', { channel: { timezone: 'UTC' } }, { financeEvents }),
  table: channelProfitAndLoss,
};

/** A stock, and how long it lasts. */
export const inventoryConformance = {
  ...conformanceOf('inventoryReplenishment', { channel: { timezone: 'America/Los_Angeles' } }),
  table: inventoryReplenishment,
};

/** Sales and stock of a seller, and how they are shown. */
export const salesConformance = {
  ...conformanceOf('salesByProduct', { channel: { timezone: 'Europe/Berlin' } }),
  table: salesByProduct,
  byPages: productsByPages,
};
