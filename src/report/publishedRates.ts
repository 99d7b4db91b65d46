/** Exchange rates as they were published. */
import type { DayNumber } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import type { QueryLimits, Warehouse } from '../engine/warehouse.ts';

const publishedRates = questionFile<{ currency: string; day: number; per_euro: number }>(
  import.meta.url,
  'publishedRates.sql',
);

/** Reads the rates that are valid on a day, of one currency or of all. */
export function readPublishedRates(
  warehouse: Warehouse,
  day: DayNumber,
  currency: string | undefined,
  limits: QueryLimits,
) {
  return warehouse.ask(publishedRates, { channel: 0, day, currency: currency ?? '' }, limits);
}
