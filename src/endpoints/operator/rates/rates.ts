import { utcDay } from '../../../access/records.ts';
import { dayNumber, isoDate } from '../../../calendar/period.ts';
import { rateSourceName, readValidRates } from '../../../report/validRates.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

const limits = { deadlineMilliseconds: 20_000 };

/** Lists the exchange rates that are valid on a day. */
export const listRates: Handler<typeof contracts.listRates> = async (
  { date, currency },
  { warehouse, now },
) => {
  const day = date === undefined ? utcDay(now()) : dayNumber(date);
  const rates = await readValidRates(warehouse, day, currency, limits);
  return {
    date: isoDate(day),
    rates: rates.map((rate) => ({
      currency: rate.currency,
      perEuro: rate.per_euro,
      publishedOn: isoDate(rate.day),
      source: rateSourceName(rate.source),
    })),
  };
};
