/** Metrics as JSON: a count as a number, everything else as text, "-" without a denominator. */
import type { Cells } from './cells.ts';
import type { Column } from './columns.ts';
import { asciiBytes, type JsonBytes } from './jsonBytes.ts';
import type { Metric } from './metrics.ts';
import { amountPlaces, currencyPlaces, quotient } from './money.ts';
import { noText } from './texts.ts';

/** The units of sums of amounts in one currency. */
export type AmountUnits = {
  /** A unit of the currency counts so many. */
  readonly unit: number | bigint;
  /** The decimal places of amounts. */
  readonly minor: number;
  /** The decimal places of amounts by piece. */
  readonly unitPricePlaces: number;
};

/** The units of sums in a currency; the sums have so many decimal `places`. */
export function amountUnits(currency: string, places: number): AmountUnits {
  const minor = currencyPlaces(currency);
  const unit = places === amountPlaces ? 10 ** amountPlaces : 10n ** BigInt(places);
  return { unit, minor, unitPricePlaces: Math.max(2, minor) };
}

const none = asciiBytes(JSON.stringify(noText));

/** Computes a metric from sums whose columns are those of the cells. */
export type MetricReader = {
  /** How many units of its last decimal place it has; undefined for "-". */
  readonly read: (cells: Cells, units: AmountUnits) => number | bigint | undefined;
  readonly placesOf: (units: AmountUnits) => number;
};

/** Makes the reader of a metric. */
export function metricReader(metric: Metric, columns: readonly Column[]): MetricReader {
  const { kind, part, whole, factor, places } = metric;
  const placeOf = ({ name }: Column) => columns.findIndex((column) => column.name === name);
  const at = placeOf(part);
  if (kind === 'unavailable') return { read: () => undefined, placesOf: () => 0 };
  if (kind === 'count') return { read: (cells) => cells[at], placesOf: () => 0 };
  if (kind === 'amount')
    return {
      read: (cells, { unit, minor }) => quotient(cells[at]!, unit, minor),
      placesOf: ({ minor }) => minor,
    };
  const by = placeOf(whole!);
  if (kind === 'unitPrice')
    return {
      read: (cells, { unit, unitPricePlaces }) =>
        cells[by]! > 0 ? quotient(cells[at]!, times(unit, cells[by]!), unitPricePlaces) : undefined,
      placesOf: ({ unitPricePlaces }) => unitPricePlaces,
    };
  const unit = part.type === 'weight' && whole!.type === 'count' ? 10 ** amountPlaces : 1;
  return {
    read: (cells) =>
      cells[by]! > 0 ? quotient(cells[at]!, times(unit, cells[by]!), places, factor) : undefined,
    placesOf: () => places,
  };
}

/** Makes the writer of a metric. */
export function metricWriter(
  metric: Metric,
  columns: readonly Column[],
): (out: JsonBytes, cells: Cells, units: AmountUnits) => void {
  const { read, placesOf } = metricReader(metric, columns);
  const isCount = metric.kind === 'count';
  return (out, cells, units) => {
    const value = read(cells, units);
    if (value === undefined) out.raw(none);
    else if (isCount) out.integer(value);
    else out.decimal(value, placesOf(units));
  };
}

/** The exact product of a unit and a number of pieces. */
function times(unit: number | bigint, pieces: number | bigint): number | bigint {
  if (typeof unit === 'number' && typeof pieces === 'number') {
    const product = unit * pieces;
    if (product <= Number.MAX_SAFE_INTEGER) return product;
  }
  return BigInt(unit) * BigInt(pieces);
}
