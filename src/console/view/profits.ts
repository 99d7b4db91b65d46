/** The profit and loss of any number of stores together, bucket by bucket. */
import { type Answer, type ApiRequest, type Input, requestOf } from '../client.ts';
import { inTurns } from '../lists.ts';
import { useGathered } from '../queries.ts';
import { numberOf } from './format.ts';
import type { Store } from './stores.tsx';

type Row = Answer<'viewProfitByPeriod'>['formattedChartData'][number];
/** The profit and loss of a bucket; its margin is computed from the lines. */
export type ProfitRow = Omit<Row, 'margin' | 'priorMargin'>;
/** A question about profit, but for the stores. */
export type ProfitQuestion = Omit<
  Input<'viewProfitByPeriod'>,
  'channelId' | 'merchantId' | 'channelIds'
>;

/** The most stores that one question adds up. */
const storesOfQuestion = 20;
/** Questions that run at a time. */
const questionsAtOnce = 3;

/** The stores with a profit and loss: vendors have none. */
export const sellersOf = (stores: readonly Store[]): readonly Store[] =>
  stores.filter(({ kind }) => kind !== 'vendor');

/** The profit of stores together, in several questions if they are many; no stores ask nothing. */
export function useProfitOf(stores: readonly Store[], question: ProfitQuestion) {
  const ids = stores.map(({ channelId }) => channelId);
  const inputs = Array.from({ length: Math.ceil(ids.length / storesOfQuestion) }, (_, place) => ({
    ...question,
    channelIds: ids.slice(place * storesOfQuestion, (place + 1) * storesOfQuestion),
  }));
  const key = inputs.length === 0 ? undefined : `profit of ${JSON.stringify(inputs)}`;
  const query = useGathered(key, async (ask, { warnings }) => {
    const answers = await inTurns(inputs.length, questionsAtOnce, (place) =>
      ask('viewProfitByPeriod', inputs[place]!),
    );
    const rows = answers.map(({ formattedChartData }): readonly ProfitRow[] => formattedChartData);
    return {
      currency: answers[0]!.currency,
      rows: rows.reduce(addedUp),
      warnings: [...warnings],
    };
  });
  const request: readonly ApiRequest[] = inputs.map((input) =>
    requestOf('viewProfitByPeriod', input),
  );
  return { ...query, request };
}

/** Fields that are alike in all rows of a bucket. */
const shared = ['startTime', 'endTime', 'currency'];

function addedUp(one: readonly ProfitRow[], other: readonly ProfitRow[]): readonly ProfitRow[] {
  return one.map((row, place) => {
    const added = other[place]!;
    const fields = Object.entries(row).map(([name, value]) =>
      shared.includes(name) ? [name, value] : [name, sumOf(value, added[name as keyof ProfitRow])],
    );
    return Object.fromEntries(fields) as ProfitRow;
  });
}

/** The sum of two figures as the API writes them; "-" where neither is known. */
function sumOf(one: string | number, other: string | number): string | number {
  const known = [one, other].map((value) => numberOf(value)).filter((value) => value !== undefined);
  const sum = exact(known.reduce((total, value) => total + value, 0));
  if (typeof one === 'number') return sum;
  return known.length === 0 ? '-' : String(sum);
}

/** A sum of amounts without the noise of binary fractions. */
export const exact = (sum: number): number => Number(sum.toFixed(6));
