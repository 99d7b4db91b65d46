/**
 * Explains in a few hundred characters why a document is of no known kind, and what its sender can
 * do.
 */
import { part } from '../cells/json.ts';
import { datasets } from '../datasets/datasets.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { orderFields } from '../orders/fields.ts';
import { shownName } from '../rows.ts';
import { reasonAgainstText, reasonAgainstValue } from './noDocument.ts';

/** A kind is named as the closest if the document has at least this share of its marks. */
const shareMin = 0.5;
/** A dataset is named if the document has at least this many of its fields. */
const knownMin = 3;
const namesShown = 5;
const aboutCharactersMax = 90;
const nameCharactersMax = 30;
const listOfKinds = 'GET /operator/documents lists the kinds';

/** A document of no known kind. */
export type Unrecognised = {
  /** The columns of its header, or the fields of its first JSON object. */
  readonly names: readonly string[];
  readonly noun: 'column' | 'field';
  /** The first JSON value. */
  readonly value: unknown;
};

/** The reason to refuse a document of no known kind. */
export function reasonUnrecognised(
  kinds: readonly DocumentKind[],
  { names, noun, value }: Unrecognised,
): string {
  const reason = noun === 'column' ? reasonAgainstText(names) : reasonAgainstValue(value);
  if (reason !== undefined) return reason;
  const reportType = part(value, 'reportSpecification', 'reportType');
  if (typeof reportType === 'string')
    return `reports of the type ${reportType.slice(0, 80)} cannot be imported; ${listOfKinds}`;
  const dataset = datasetOf(names);
  if (dataset !== undefined)
    return `these are ${dataset} rows: send them to /operator/imports/${dataset}`;
  const ofShape = kinds.filter(
    (kind) => (kind.recognisesHeader !== undefined) === (noun === 'column'),
  );
  const closest = closestKind(ofShape, names);
  if (closest !== undefined) {
    const { kind, missing } = closest;
    return `unrecognised document: closest to ${kind.name} (${cut(kind.about, aboutCharactersMax)}), but without ${listed(missing, noun)}; ${listOfKinds}`;
  }
  const rows = closestDataset(names);
  if (rows !== undefined)
    return `unrecognised document: closest to rows of ${rows.name}, but with ${listed(rows.unknown, noun)}; ${listOfKinds} and the fields`;
  const found = names.length === 0 ? '' : `, with ${listed(names, noun)}`;
  return `unrecognised document${found}; ${listOfKinds}`;
}

/** The dataset that has all these names as fields, and requires no others. */
function datasetOf(names: readonly string[]): string | undefined {
  const given = new Set(names.map((name) => name.trim()));
  const fits = (fields: readonly { readonly name: string; readonly required?: boolean }[]) => {
    const known = new Set(fields.map(({ name }) => name));
    return (
      [...given].every((name) => known.has(name)) &&
      fields.every(({ name, required }) => required !== true || given.has(name))
    );
  };
  if (given.size < 2) return undefined;
  const ofOrders = orderFields.filter(({ name }) => !name.startsWith('Items[]'));
  if (fits([...ofOrders, { name: 'Items' }])) return 'orders';
  return Object.values(datasets).find(({ fields }) =>
    fits(Object.entries(fields).map(([name, field]) => ({ name, ...field }))),
  )?.name;
}

/** The dataset that knows most of the names, at least half of them and at least three. */
function closestDataset(names: readonly string[]) {
  const ranked = Object.values(datasets).map(({ name, fields }) => ({
    name,
    unknown: names.filter((one) => !(one.trim() in fields)),
  }));
  const [closest] = ranked.toSorted((one, other) => one.unknown.length - other.unknown.length);
  const known = names.length - closest!.unknown.length;
  return known >= knownMin && known >= names.length / 2 ? closest : undefined;
}

type Closest = {
  readonly kind: DocumentKind;
  readonly missing: readonly string[];
  /** The share of the columns that the kind reads, and the share of its marks in the document. */
  readonly shares: readonly [ofColumns: number, ofMarks: number];
};

/** The kind that reads most of the columns, among kinds with enough marks in the document. */
function closestKind(
  kinds: readonly DocumentKind[],
  names: readonly string[],
): Closest | undefined {
  let closest: Closest | undefined;
  for (const kind of kinds) {
    const titleOf = kind.title ?? ((title: string) => title);
    const given = new Set(names.map(titleOf));
    for (const marks of kind.marks ?? []) {
      const missing = marks.filter((titles) => !titles.some((title) => given.has(title)));
      const known = new Set([...(kind.titles ?? []), ...marks.flat()]);
      const read = [...given].filter((title) => known.has(title)).length;
      const shares = [read / given.size, 1 - missing.length / marks.length] as const;
      // If a document has every mark of a kind, that is not the closest kind: something else is
      // wrong with it.
      if (missing.length === 0 || shares[1] < shareMin) continue;
      const one = { kind, missing: missing.map(([title]) => title!), shares };
      if (closest === undefined || isCloser(one, closest)) closest = one;
    }
  }
  return closest;
}

function isCloser(one: Closest, other: Closest): boolean {
  const [ofColumns, ofMarks] = one.shares.map((share, at) => share - other.shares[at]!);
  if (ofColumns !== 0) return ofColumns! > 0;
  return ofMarks === 0 ? one.missing.length < other.missing.length : ofMarks! > 0;
}

function listed(names: readonly string[], noun: string): string {
  const shown = names.slice(0, namesShown).map((name) => cut(shownName(name), nameCharactersMax));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `the ${noun}${names.length === 1 ? '' : 's'} ${shown.join(', ')}${more}`;
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
