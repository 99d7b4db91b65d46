/** The codes in facts that no list knows, and the lines that organisations have named for them. */
import type { Static } from 'typebox';
import type { Channel } from '../../access/channels.ts';
import type { FinanceSource } from '../../contract/importable.ts';
import type { UnknownCode } from '../../contract/unknownCodes.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { amountText } from '../cells/fields.ts';
import { markerCode } from './existing.ts';
import { namedCodes, unknownCodesOf } from './namedCodes.ts';
import { ownCodes } from './ownCodes.ts';

const secondsPerDay = 86_400;

const codesQuestion = questionFile<{
  readonly source: FinanceSource;
  readonly code: string;
  readonly currency: string;
  readonly counted: number;
  readonly amount: bigint;
  readonly first_at: number;
  readonly last_at: number;
}>(import.meta.url, 'codesBetween.sql');

/**
 * The codes of a channel between two instants that no list knows, or that its organisation has
 * named, the largest amounts first.
 */
export async function readUnknownCodes(
  ask: Ask,
  records: Records,
  { channelNumber, organisationId }: Channel,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Static<typeof UnknownCode>[]> {
  const [first, last] = [from, to].map((at) => Math.floor(at / secondsPerDay)) as [number, number];
  const range = { from, to, first, last, marker: markerCode };
  const rows = await ask(codesQuestion, { channel: channelNumber, ...range });
  const lineOf = await namedLines(records, organisationId);
  const isUnknown = await unknownIn(records);
  return rows
    .map((row) => ({ ...row, line: lineOf(row.source, row.code) }))
    .filter(({ source, code, line }) => line !== null || isUnknown(source, code))
    .sort((one, other) => sizeOf(other) - sizeOf(one) || (one.code < other.code ? -1 : 1))
    .map(({ source, code, line, currency, amount, counted, first_at, last_at }) => ({
      source,
      code,
      line,
      currency,
      amount: Number(amountText(amount)),
      rows: counted,
      firstAt: first_at,
      lastAt: last_at,
    }));
}

/** Whether an organisation may name a code: it is unknown, or has been named. */
export async function mayBeNamed(
  records: Records,
  organisationId: string,
  source: FinanceSource,
  code: string,
): Promise<boolean> {
  const lineOf = await namedLines(records, organisationId);
  return lineOf(source, code) !== null || (await unknownIn(records))(source, code);
}

type Records = Parameters<typeof ownCodes>[0];

/** The line that an organisation has named for a code; null if it has named none. */
async function namedLines(records: Records, organisationId: string) {
  const named = await namedCodes(records, organisationId);
  const lines = new Map(named.map(({ source, code, line }) => [`${source} ${code}`, line]));
  return (source: FinanceSource, code: string) => lines.get(`${source} ${code}`) ?? null;
}

/** Whether neither the service nor the operator knows a code. */
async function unknownIn(records: Records) {
  const own = await ownCodes(records);
  const known = new Map<FinanceSource, (text: string) => boolean>();
  return (source: FinanceSource, code: string) => {
    if (!known.has(source)) known.set(source, unknownCodesOf(source, own));
    return known.get(source)!(code);
  };
}

function sizeOf({ amount }: { readonly amount: bigint }): number {
  return Math.abs(Number(amount));
}
