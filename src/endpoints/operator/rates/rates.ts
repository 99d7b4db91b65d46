import { dayNumber, isoDate } from '../../../calendar/period.ts';
import { questionFile } from '../../../engine/question.ts';
import { type OperatorHandler, today } from '../handler.ts';
import type { overviewContracts as contracts } from '../overviewContracts.ts';

/** Asks for the rates that hold on a day, of one currency or, where it is empty, of all. */
export const ratesOn = questionFile<{ currency: string; day: number; per_euro: number }>(
  import.meta.url,
  'rates.sql',
);

const deadlineMilliseconds = 20_000;

/** Lists the exchange rates that hold on a day. */
export const listRates: OperatorHandler<(typeof contracts)['listRates']> = async (
  { date, currency },
  { warehouse, now },
) => {
  const day = date === undefined ? today(now) : dayNumber(date);
  const rates = await warehouse.ask(
    ratesOn,
    { channel: 0, day, currency: currency ?? '' },
    { deadlineMilliseconds },
  );
  return {
    date: isoDate(day),
    rates: rates.map((rate) => ({
      currency: rate.currency,
      perEuro: rate.per_euro,
      publishedOn: isoDate(rate.day),
    })),
  };
};
