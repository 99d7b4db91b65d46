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

/** Makes the condition that a fact lies between two instants, each the SQL of a parameter. */
export type Within = (from: string | undefined, until: string | undefined) => string;

type Span = Pick<TaxRate, 'rate'> & {
  readonly skus: string[];
  readonly from: string;
  readonly until: string | undefined;
};

/** From here on, a rate always holds. */
const always = '1970-01-01';

/** The conditions of facts by rate; SKUs with their own rates come first. */
export function conditionsOf(
  rates: readonly TaxRate[],
  timezone: string,
  isWithin: Within,
): readonly RateCondition[] {
  return spansOf(rates).map(({ skus, rate, from, until }, place) => {
    const parameters: Record<string, Parameters[string]> = {};
    const instant = (name: string, date: string | undefined) => {
      if (date === undefined || date <= always) return undefined;
      const day = dayNumber(date);
      parameters[name] = startOfDay(timezone, day) ?? startOfDay(timezone, day + 1)!;
      return `{${name}:Int64}`;
    };
    const within = isWithin(instant(`from${place}`, from), instant(`until${place}`, until));
    const isOwn = skus[0] !== '';
    if (isOwn) parameters[`skus${place}`] = skus;
    const ofSkus = isOwn ? `in_list(sku, {skus${place}:Array(String)})` : 'TRUE';
    return { rate, parameters, sql: `(${ofSkus} AND ${within})` };
  });
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

/** A condition that holds if any of the given ones does. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length === 0 ? 'FALSE' : `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    parameters: Object.assign({}, ...conditions.map(({ parameters }) => parameters)),
  };
}
