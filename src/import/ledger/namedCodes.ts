/** The financial codes that no list knows and that an organisation has named. */
import type { Booking, FinanceSource } from '../../contract/importable.ts';
import type { Amendment } from '../../engine/amendment.ts';
import type { Registry } from '../../engine/registry.ts';
import { codesOf, type FinanceCode, type NamedCode } from './codes.ts';
import { ownCodes } from './ownCodes.ts';

/**
 * The codes that take precedence over the service's own: from the organisation, and from the
 * operator.
 */
export type AddedCodes = {
  readonly named: readonly NamedCode[];
  readonly own: readonly FinanceCode[];
};

/** Reads the codes that an organisation has named. */
export async function namedCodes(
  records: Pick<Registry['records'], 'selectFrom'>,
  organisationId: string,
): Promise<NamedCode[]> {
  const query = records.selectFrom('namedCode').select(['source', 'code', 'line']);
  // The contract has checked all saved records.
  return (await query
    .where('organisationId', '=', organisationId)
    .orderBy('source')
    .orderBy('code')
    .execute()) as NamedCode[];
}

/** The codes for an import. Only documents need them. */
export async function addedCodesFor(
  records: Pick<Registry['records'], 'selectFrom'>,
  request: { readonly content: object; readonly channel?: { readonly organisationId: string } },
): Promise<AddedCodes> {
  const { content, channel } = request;
  if (!('document' in content)) return { named: [], own: [] };
  const named = channel ? await namedCodes(records, channel.organisationId) : [];
  return { named, own: await ownCodes(records) };
}

/**
 * Whether no list knows a code. Facts have only the text of its three names, where equal names
 * stand once, and where a name may itself contain slashes.
 */
export function unknownCodesOf(
  source: FinanceSource,
  own: readonly FinanceCode[],
): (text: string) => boolean {
  const codeOf = codesOf(source, own);
  return (text) =>
    namesOf(text).every(([type, component, code]) => codeOf(type, component, code) === undefined);
}

/** The names that a text may stand for. */
function namesOf(text: string): [string, string, string][] {
  const parts = text.split('/');
  const joined = (from: number, to?: number) => parts.slice(from, to).join('/');
  const all: [string, string, string][] = [
    [text, text, text],
    [text, '', ''],
    ['', '', text],
  ];
  for (let first = 1; first < parts.length; first++) {
    const [one, other] = [joined(0, first), joined(first)];
    all.push([one, one, other], [one, other, other], [one, other, one]);
    all.push([one, other, ''], [one, '', other], ['', one, other]);
    for (let second = first + 1; second < parts.length; second++)
      all.push([one, joined(first, second), joined(second)]);
  }
  return all;
}

/** The change that books the facts of a code on a line or, without one, by their sign. */
export function rebooking(source: FinanceSource, code: string, line: Booking | null): Amendment {
  const whole = 'amount + tax';
  const none = 'amount - amount';
  const isTax = line?.endsWith('.tax') === true;
  return {
    table: 'finance_event',
    parameters: { source, code, line: line?.replace('.tax', '') ?? '' },
    changed: 'source = {source:String} AND code = {code:String}',
    set: {
      line:
        line === null
          ? `CASE WHEN ${whole} < 0 THEN 'otherExpenses' ELSE 'otherIncome' END`
          : '{line:String}',
      amount: isTax ? none : whole,
      tax: isTax ? whole : none,
    },
  };
}
