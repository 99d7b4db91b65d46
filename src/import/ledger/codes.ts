/**
 * Assigns the amounts of a source to lines of the profit and loss, by the list in `codes.tsv` and
 * the operator's own codes.
 */
import { readFileSync } from 'node:fs';
import type { Booking, FinanceSource } from '../../contract/importable.ts';
import { codeTextOf } from './codeText.ts';
import { familyOf, isOfParts, plainCode, withoutReason } from './families.ts';

/**
 * A line of the list. `type`, `component` and `code` are the source's own three names of an amount,
 * from the whole to the part. Each is a text, or several texts separated by `|`, where `*` stands
 * for anything. Letter case, spaces and hyphens do not count.
 */
export type FinanceCode = {
  readonly source: FinanceSource;
  readonly type: string;
  readonly component: string;
  readonly code: string;
  readonly line: Booking;
};

/** A code with its three names as one text, and the line that an organisation has named. */
export type NamedCode = {
  readonly source: FinanceSource;
  readonly code: string;
  readonly line: Booking;
};

/** The number of names to remember. */
const namesMax = 10_000;

/** The built-in list. */
export const shippedCodes: readonly FinanceCode[] = readFileSync(
  new URL('codes.tsv', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [source, type, component, code, line] = row.split('\t') as [
      FinanceSource,
      string,
      string,
      string,
      Booking,
    ];
    return { source, type, component, code, line };
  });

/** The exact names in a pattern, in plain form, and its names with wildcards. */
type Names = { readonly whole: ReadonlySet<string>; readonly open: readonly OpenName[] };
type OpenName = { readonly parts: readonly string[]; readonly closeness: number };
type Pattern = { readonly entry: FinanceCode; readonly names: readonly Names[] };

function namesOf(pattern: string): Names {
  const [open, whole] = [true, false].map((isOpen) =>
    pattern.split('|').filter((one) => one.includes('*') === isOpen),
  ) as [string[], string[]];
  return {
    whole: new Set(whole.map(plainCode)),
    open: open.map((one) => {
      const parts = one.split('*').map(plainCode);
      return { parts, closeness: parts.join('').length + 1 };
    }),
  };
}

/**
 * How closely a pattern matches: 0 if it does not, 1 if it matches anything, and more the more of
 * the name it spells out.
 */
function fit({ whole, open }: Names, name: string): number {
  if (whole.has(name)) return 1000;
  const fitting = open.filter(({ parts }) => isOfParts(name, parts));
  return Math.max(0, ...fitting.map(({ closeness }) => closeness));
}

/** The entry that matches most closely. */
function closest(list: readonly Pattern[], names: readonly string[]): FinanceCode | undefined {
  let best: { entry: FinanceCode; fits: readonly number[] } | undefined;
  for (const { entry, names: patterns } of list) {
    const fits = patterns.map((pattern, at) => fit(pattern, names[at]!));
    if (fits.includes(0)) continue;
    const known = best?.fits ?? [];
    if ((fits.map((value, at) => value - (known[at] ?? 0)).find(Boolean) ?? 0) > 0)
      best = { entry, fits };
  }
  return best?.entry;
}

/**
 * Finds the line of the list for an amount of a source; undefined for unknown codes. `added` takes
 * precedence over the built-in list. Of several matches, the one with the closest type counts, then
 * the closest code, then the closest component, then the first. If no list matches, the family of
 * its names decides.
 */
export function codesOf(
  source: FinanceSource,
  added: readonly FinanceCode[],
): (type: string, component: string, code: string) => FinanceCode | undefined {
  const lists = [added, shippedCodes].map((list) =>
    list
      .filter((entry) => entry.source === source)
      .map((entry) => ({ entry, names: [entry.type, entry.code, entry.component].map(namesOf) })),
  );
  return rememberedByNames((type, component, code) => {
    const written = [type, code, component];
    for (const list of lists)
      for (const names of [written, written.map(withoutReason)]) {
        const entry = closest(list, names.map(plainCode));
        if (entry !== undefined) return entry;
      }
    const family = familyOf(type, component, code);
    return family && { source, type: '*', component: '*', code: family.pattern, line: family.line };
  });
}

/** Caches the line of three names, because a document repeats few of them. */
export function rememberedByNames<Found>(
  find: (type: string, component: string, code: string) => Found,
): (type: string, component: string, code: string) => Found {
  const known = new Map<string, Found>();
  return (type, component, code) => {
    // With their lengths, names that contain one another stay distinct.
    const key = `${type.length} ${component.length} ${type}${component}${code}`;
    if (!known.has(key)) {
      if (known.size >= namesMax) known.clear();
      known.set(key, find(type, component, code));
    }
    return known.get(key) as Found;
  };
}

/**
 * Looks up where a source's amounts are booked, like `codesOf`; undefined for unknown codes. Lines
 * that an organisation has named take precedence.
 */
export function bookingsOf(
  source: FinanceSource,
  added: readonly FinanceCode[],
  named: readonly NamedCode[] = [],
): (type: string, component: string, code: string) => Booking | undefined {
  const codeOf = codesOf(source, added);
  const ofSource = named.filter((one) => one.source === source);
  const lines = new Map(ofSource.map(({ code, line }) => [code, line]));
  return rememberedByNames((...names) => lines.get(codeTextOf(...names)) ?? codeOf(...names)?.line);
}
