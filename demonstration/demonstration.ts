/** Demonstration data: an organisation with more than a year of simulated business. */
import type { Selectable } from 'kysely';
import { localDay } from '../src/calendar/period.ts';
import type { ChannelRecord } from '../src/engine/registry.ts';
import type { Warehouse } from '../src/engine/warehouse.ts';
import type { Importer } from '../src/import/importer.ts';
import {
  addOrganisation,
  addUsers,
  type Demonstration,
  findKey,
  issueKey,
  organisationId,
  type RecordParts,
  readUsers,
} from './records.ts';

export { type Demonstration, organisationId } from './records.ts';

/** The inputs for filling the demonstration. `now` is in epoch milliseconds. */
export type DemonstrationParts = RecordParts & {
  readonly warehouse: Warehouse;
  readonly importer: Pick<Importer, 'import'>;
  /** The facts to import, of some channels and their last days; all facts except in tests. */
  readonly part?: { readonly channelIds: readonly string[]; readonly days: number };
  /** Receives lines about the progress. */
  readonly onProgress?: (line: string) => void;
};

type Channel = Selectable<ChannelRecord>;

const millisecondsPerDay = 86_400_000;
/** The days of the channel with the most days. */
const daysOfFacts = 760;
/** Days of exchange rates before the facts, which still apply to them. */
const daysOfRatesBefore = 40;

/**
 * Fills the demonstration, or finds it. It is complete once its key exists, which is issued last.
 * An interrupted start is completed with the facts of the day on which it began.
 */
export async function fillDemonstration(parts: DemonstrationParts): Promise<Demonstration> {
  const demonstration =
    (await findKey(parts)) ??
    (await parts.registry.withLock(
      'demonstration',
      // Another node may have filled it in the meantime.
      async () => (await findKey(parts)) ?? (await fill(parts)),
    ));
  return { ...demonstration, users: await readUsers(parts) };
}

async function fill(parts: DemonstrationParts): Promise<Omit<Demonstration, 'users'>> {
  parts.onProgress?.('Creating demonstration data (once) ...');
  // Loaded only here: later starts do not need the simulation.
  const [{ plans }, { documentsOf }, { historySince }, { newCharges }] = await Promise.all([
    import('./plans.ts'),
    import('./documents.ts'),
    import('./rates.ts'),
    import('./newCharges.ts'),
  ]);
  const madeAt = await addOrganisation(parts);
  const anchorDay = Math.floor(madeAt / millisecondsPerDay);
  const channels = await parts.registry.records
    .selectFrom('channel')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .execute();
  const { channelIds, days = Number.POSITIVE_INFINITY } = parts.part ?? {};
  const firstRate = anchorDay - Math.min(days, daysOfFacts) - daysOfRatesBefore;
  let importing: Promise<unknown> = importRates(parts, historySince(firstRate));
  for (const plan of plans) {
    if (channelIds?.includes(plan.channelId) === false) continue;
    const channel = channels.find(({ channelId }) => channelId === plan.channelId);
    if (!channel)
      throw new Error(
        `the demonstration needs the channelId ${plan.channelId}, which another organisation uses`,
      );
    const today = localDay(plan.timezone, madeAt / 1000);
    const documents = await documentsOf(plan, anchorDay, today, days);
    // One channel is imported while the next is simulated, so that only one is held in memory.
    await importing;
    importing = importChannel(parts, channel, documents, newCharges(plan, anchorDay));
    importing.catch(() => undefined);
  }
  await importing;
  await addUsers(parts);
  return { organisationId, key: await issueKey(parts), madeAt };
}

/** Imports the rates, unless the installation has rates already. */
async function importRates(parts: DemonstrationParts, lines: readonly string[]): Promise<void> {
  const extents = await parts.warehouse.extents(0, 'UTC');
  if (extents.some(({ table, rows }) => table === 'exchange_rate' && rows > 0)) return;
  const content = { document: true, kind: 'referenceRates', attributionDays: 14 } as const;
  await importFile(parts, content, 'eurofxref-hist.csv', [lines.join('\n')]);
}

async function importChannel(
  parts: DemonstrationParts,
  channel: Channel,
  documents: ReadonlyMap<string, readonly string[]>,
  adjustments: readonly object[],
): Promise<void> {
  const counts = await Promise.all(
    Array.from(documents, ([dataset, chunks]) => {
      const content = { dataset, format: 'ndjson' } as const;
      return importFile(parts, content, `${dataset}.ndjson`, chunks, channel);
    }),
  );
  if (adjustments.length > 0) {
    const content = { document: true, kind: 'financialEvents', attributionDays: 14 } as const;
    const body = { payload: { FinancialEvents: { AdjustmentEventList: adjustments } } };
    await importFile(parts, content, 'financialEvents.json', [JSON.stringify(body)], channel);
  }
  const rows = counts.reduce((sum, count) => sum + count, 0);
  parts.onProgress?.(`  ${channel.displayName}: ${rows.toLocaleString('en')} rows`);
}

/** Imports a file as an operator would; returns the number of its rows. */
async function importFile(
  { importer }: DemonstrationParts,
  content: Parameters<Importer['import']>[0]['content'],
  fileName: string,
  chunks: readonly string[],
  channel?: Channel,
): Promise<number> {
  const { Readable } = await import('node:stream');
  const { rowsAccepted } = await importer.import(
    {
      content,
      fileName,
      ...(channel && { channel }),
      ...('dataset' in content && { mediaType: 'application/x-ndjson' }),
      acceptsMultiDay: false,
      abortOnRejection: true,
    },
    Readable.from(chunks),
  );
  return rowsAccepted;
}
