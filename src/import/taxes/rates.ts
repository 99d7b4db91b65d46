/** The tax rates that documents do not state, as conditions on facts. */
import { dayNumber, startOfDay } from '../../calendar/period.ts';
import type { TaxRateRecord } from '../../engine/channelRecords.ts';
import type { Parameters } from '../../engine/values.ts';

/** A tax rate of a channel, for one SKU or for all SKUs without their own. */
export type TaxRate = Pick<TaxRateRecord, 'sku' | 'effectiveFrom' | 'rate'>;

/** A condition in the words of questions, with its parameters. */
export type Condition = { readonly sql: string; readonly parameters: Parameters };

/** The facts of one rate. If several conditions hold, the first counts. */
export type RateCondition = Condition & {
  /** In millionths of the price without tax. */
  readonly rate: number;
};

/** Makes the condition that a fact lies between the instants of two parameters. */
export type Within = (from: string, until: string) => string;

type Span = Pick<TaxRate, 'rate'> & {
  readonly skus: string[];
  readonly from: string;
  readonly until: string | undefined;
};

/** From here on, a rate always holds. */
const always = '1970-01-01';
/** Before and after all facts, in epoch seconds. */
const [beforeAll, afterAll] = [-1e12, 1e12];

/** The conditions of facts by rate; SKUs with their own rates come first. */
export function conditionsOf(
  rates: readonly TaxRate[],
  timezone: string,
  isWithin: Within,
): readonly RateCondition[] {
  return spansOf(rates).map(({ skus, rate, from, until }, place) => {
    const parameters: Record<string, Parameters[string]> = {};
    const isOwn = skus[0] !== '';
    if (isOwn) parameters[`skus${place}`] = skus;
    const ofSkus = isOwn ? `in_list(sku, {skus${place}:Array(String)})` : 'TRUE';
    const isLimited = from > always || until !== undefined;
    if (isLimited) {
      parameters[`from${place}`] = startOf(from, timezone);
      parameters[`until${place}`] = until === undefined ? afterAll : startOf(until, timezone);
    }
    const within = isLimited ? isWithin(`from${place}`, `until${place}`) : 'TRUE';
    return { rate, parameters, sql: `(${ofSkus} AND ${within})` };
  });
}

/** The instant from which a rate holds. */
function startOf(date: string, timezone: string): number {
  if (date <= always) return beforeAll;
  const day = dayNumber(date);
  return startOfDay(timezone, day) ?? startOfDay(timezone, day + 1)!;
}

/** The first instants with rates: of all SKUs, and of each SKU with rates of its own. */
export type RatesFrom = {
  readonly from: number;
  readonly skus: readonly string[];
  readonly skusFrom: readonly number[];
};

/** The instants from which rates hold. Once a rate has begun, there is always one. */
export function ratesFrom(rates: readonly TaxRate[], timezone: string): RatesFrom {
  const first = new Map<string, string>();
  for (const { sku, effectiveFrom } of rates)
    if (effectiveFrom < (first.get(sku) ?? '~')) first.set(sku, effectiveFrom);
  const ofAll = first.get('');
  first.delete('');
  return {
    from: ofAll === undefined ? afterAll : startOf(ofAll, timezone),
    skus: [...first.keys()],
    skusFrom: [...first.values()].map((date) => startOf(date, timezone)),
  };
}

/** Spans of dates with a rate. SKUs with the same spans share them. */
function spansOf(rates: readonly TaxRate[]): readonly Span[] {
  const spans = new Map<string, Span>();
  for (const [sku, own] of Map.groupBy(rates, (rate) => rate.sku)) {
    const sorted = own.toSorted((one, other) => (one.effectiveFrom < other.effectiveFrom ? -1 : 1));
    for (const [place, { effectiveFrom: from, rate }] of sorted.entries()) {
      const until = sorted[place + 1]?.effectiveFrom;
      const key = JSON.stringify([sku === '', rate, from, until]);
      const span = spans.get(key);
      if (span) span.skus.push(sku);
      else spans.set(key, { skus: [sku], rate, from, until });
    }
  }
  const isOfAll = ({ skus }: Span) => Number(skus[0] === '');
  return [...spans.values()].sort((one, other) => isOfAll(one) - isOfAll(other));
}
