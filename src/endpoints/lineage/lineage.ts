import { dayNumber } from '../../calendar/period.ts';
import { readUnknownCodes } from '../../import/ledger/unknownCodes.ts';
import { tablesOf } from '../../import/tables.ts';
import type { Handler } from '../handler.ts';
import type { readLineage as contract } from './contract.ts';
import { channelDate, parametersOf, readFacts } from './facts.ts';
import { answerOf, type LineageImport, readImports } from './imports.ts';
import { readLineageRates } from './rates.ts';
import { readClaims, readReplaced, type Superseded, supersededOf } from './superseded.ts';

/** Reads where the figures of a date and dataset come from. */
export const readLineage: Handler<typeof contract> = async (
  { dataset, date, currency },
  { channel, registry, warehouse, limits },
) => {
  const { channelNumber, channelId, merchantId, timezone } = channel;
  const day = dayNumber(date);
  const ofChannel = channelDate(channel, day);
  const tables = tablesOf(dataset);
  const found = await warehouse.readCached([channelNumber, 0], limits, async (ask) => {
    const facts = await readFacts(ask, dataset, channel, ofChannel);
    const { instants } = ofChannel;
    const ofOrders = instants && parametersOf('order_record', channel, ofChannel);
    const replaced = ofOrders ? await readReplaced(ask, tables, ofOrders) : [];
    const ofClaims = instants && { channel: channelNumber, ...instants };
    const claims = ofClaims ? await readClaims(ask, tables, ofClaims) : [];
    const own = new Set(facts.flatMap(({ sums }) => sums.flatMap((sum) => sum.currency ?? [])));
    const currencies = own.size > 0 ? [...own].sort() : [channel.currency];
    const rates =
      currency === undefined ? [] : await readLineageRates(ask, currencies, currency, day, dataset);
    const unknownCodes =
      dataset === 'financeEvents' && instants
        ? await readUnknownCodes(ask, registry.records, channel, instants)
        : [];
    return { facts, replaced, claims, rates, unknownCodes };
  });
  const { facts, replaced, claims, rates, unknownCodes } = found;
  const named = new Set([
    ...facts.map(({ importId }) => importId),
    ...replaced.flatMap(({ importId, supersededBy }) => [importId, supersededBy]),
    ...claims.map(({ import_id }) => import_id),
  ]);
  const imports = await readImports(registry, { channelNumber, tables, day }, named);
  const superseded = supersededOf({ day, tables, facts, imports, replaced, claims });
  const counting = new Set(facts.map(({ importId }) => importId));
  return {
    channelId,
    merchantId,
    dataset,
    date,
    timezone,
    facts,
    superseded,
    unknownCodes,
    rates,
    imports: [...imports.values()]
      .sort((one, other) => other.importId - one.importId)
      .map((one) => answerOf(one, standingOf(one, counting, superseded))),
  };
};

function standingOf(
  { importId, state }: LineageImport,
  counting: ReadonlySet<number>,
  superseded: readonly Superseded[],
) {
  if (state !== 'done') return state;
  if (counting.has(importId)) return 'counts';
  return superseded.some((one) => one.importId === importId) ? 'superseded' : 'empty';
}
