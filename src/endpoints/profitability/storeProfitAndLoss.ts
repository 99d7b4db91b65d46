/** The profit and loss of a whole store. */

import { readStoreFigures } from '../../report/profitFigures.ts';
import { foreignDays, foreignOf, statementOf } from '../../report/profitStatement.ts';
import { purposeOf, readConversion } from '../../report/rates.ts';
import type { Handler } from '../handler.ts';
import { unstatedTaxIn } from '../unstatedTax.ts';
import type { readStoreProfitAndLoss as contract } from './contract.ts';

/** Answers POST /profitability/storeProfitAndLoss. */
export const readStoreProfitAndLoss: Handler<typeof contract> = async (
  { reportOptions },
  { channel, warehouse, limits, warn },
) => {
  warn(unstatedTaxIn([channel], 'finance_event', reportOptions));
  const { fromDate: from, toDate: to, timezone: zone } = reportOptions;
  const { channelNumber, currency } = channel;
  return await warehouse.readCached([channelNumber, 0], limits, async (ask) => {
    const stores = { channels: [channelNumber], zone, range: { from, to } };
    const figures = await readStoreFigures(ask, stores, currency);
    const { exchange } = await readConversion(ask, {
      target: currency,
      currencies: foreignOf(currency, figures, reportOptions),
      days: foreignDays(currency, figures),
      purpose: purposeOf(channel),
    });
    return statementOf(figures, exchange, currency, reportOptions).lines;
  });
};
