import { columnsOf, type ReportKind } from './kind.ts';

const texts = ['title', 'productSku', 'sku', 'brand'];
const figures = [
  ...['pageViews', 'priorPageViews', 'orderedRevenue', 'priorOrderedRevenue', 'orderedUnits', 'priorOrderedUnits', 'price'],
  ...['unitsPerView', 'priorUnitsPerView', 'unitsPerSession', 'priorUnitsPerSession', 'sessions', 'priorSessions'],
  ...['mobileSessionsPercentage', 'priorMobileSessionsPercentage', 'buyboxWinPercentage', 'priorBuyboxWinPercentage'],
];
const columnsOfView = {
  parents: columnsOf(['title', 'productSku', ...figures], texts),
  skus: columnsOf(['title', 'productSku', 'sku', 'brand', ...figures], texts),
};

/** Traffic of products, and what came of it. */
export const trafficAndConversion: ReportKind<'trafficAndConversion'> = {
  reportType: 'trafficAndConversion',
  columns: ({ view }) => columnsOfView[view],
  rows: async () => {},
};
