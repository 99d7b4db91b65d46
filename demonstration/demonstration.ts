/** Demonstration data: an organisation with more than a year of simulated business. */
import type { Selectable } from 'kysely';
import { localDay } from '../src/calendar/period.ts';
import type { ChannelRecord } from '../src/engine/registry.ts';
import type { Warehouse } from '../src/engine/warehouse.ts';
import type { Importer } from '../src/import/importer.ts';
import type { Plan } from './plans.ts';
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
import type { OrderLineRow } from './rows.ts';

export { type Demonstration, organisationId } from './records.ts';

/** Everything that the demonstration is filled with. `now` is in epoch milliseconds. */
export type DemonstrationParts = RecordParts & {
  readonly warehouse: Warehouse;
  readonly importer: Pick<Importer, 'import'>;
  /** The facts that are imported, of some channels and their last days; all but in tests. */
  readonly part?: { readonly channelIds: readonly string[]; readonly days: number };
  /** Receives lines about the progress. */
  readonly onProgress?: (line: string) => void;
};

/** The rows of a channel as NDJSON chunks, by dataset. */
type Documents = Record<string, string[]>;

const secondsPerDay = 86_400;
/** The days of the channel with the most of them. */
const daysOfFacts = 760;
/** Days of exchange rates before the facts, which still apply to them. */
const daysOfRatesBefore = 40;
/** Inventory of two months follows from three months of order lines before, and their shipping time. */
const daysOfRecentLines = 153;
/** Days simulated before their rows become text and the event loop gets its turn. */
const daysPerTurn = 20;

/**
 * Fills the demonstration, or finds it. It is complete once its key exists, which is issued last. A
 * start that was interrupted is completed with the facts of the day on which it began.
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
  // Loaded only here, because later starts do not need the simulation.
  const [{ plans }, { historyOf, ratesSince }, { newCharges }] = await Promise.all([
    import('./plans.ts'),
    import('./rates.ts'),
    import('./newCharges.ts'),
  ]);
  const madeAt = await addOrganisation(parts);
  const anchorDay = Math.floor(madeAt / 1000 / secondsPerDay);
  const channels = await parts.registry.records
    .selectFrom('channel')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .execute();
  const { channelIds, days = Number.POSITIVE_INFINITY } = parts.part ?? {};
  const rates = ratesSince(anchorDay - Math.min(days, daysOfFacts) - daysOfRatesBefore);
  let importing: Promise<unknown> = importRates(parts, historyOf(rates));
  for (const plan of plans) {
    if (channelIds?.includes(plan.channelId) === false) continue;
    const channel = channels.find(({ channelId }) => channelId === plan.channelId);
    if (!channel)
      throw new Error(
        `the demonstration needs the channelId ${plan.channelId}, which another organisation uses`,
      );
    const today = localDay(plan.timezone, madeAt / 1000);
    const documents = await simulate(plan, anchorDay, today, days);
    // One channel is imported while the next is simulated, so that only one is held in memory.
    await importing;
    importing = importChannel(parts, channel, documents, newCharges(plan, anchorDay));
    importing.catch(() => undefined);
  }
  await importing;
  await addUsers(parts);
  return { organisationId, key: await issueKey(parts), madeAt };
}

/**
 * Simulates a channel up to the day before `today`, a local day. Each day follows from those
 * before, so all are simulated where the documents have the last ones only.
 */
async function simulate(
  plan: Plan,
  anchorDay: number,
  today: number,
  daysMax: number,
): Promise<Documents> {
  const [simulation, catalogue, unitCosts, campaigns, keywords, targets, searches, orders, stock] =
    await Promise.all([
      import('./simulation.ts'),
      import('./catalogue.ts'),
      import('./unitCosts.ts'),
      import('./campaigns.ts'),
      import('./keywords.ts'),
      import('./targets.ts'),
      import('./searches.ts'),
      import('./orders.ts'),
      import('./inventory.ts'),
    ]);
  const documents = new DocumentsOfRows();
  documents.add('products', simulation.productRows(plan));
  // Unit costs come before the events, whose sums would otherwise be computed twice.
  documents.add('unitCosts', unitCosts.unitCostRows(plan, catalogue.offersOf(plan), anchorDay));
  const ofChannel = campaigns.campaignsOf(plan, anchorDay);
  documents.add('campaigns', campaigns.campaignRows(plan, ofChannel));
  documents.add('adGroups', campaigns.adGroupRows(plan, ofChannel));
  const ofAdGroups = keywords.keywordsOf(plan, catalogue.offersOf(plan), ofChannel, anchorDay);
  documents.add('keywords', keywords.keywordRows(plan, ofChannel, ofAdGroups));
  documents.add('targets', targets.targetRows(plan, anchorDay));
  documents.add('searchQueries', searches.searchQueryRows(plan, anchorDay));
  const ordersOf = orders.orderRowsOf(plan);
  const recent: (readonly OrderLineRow[])[] = [];
  let days = 0;
  let left = today - anchorDay + Math.max(plan.orderDays, plan.dailyDays);
  for (const day of simulation.simulateDays(plan, anchorDay, today - 1)) {
    const { orderLines, ...others } = day;
    recent.push(orderLines);
    if (recent.length > daysOfRecentLines) recent.shift();
    if (left-- > daysMax) continue;
    // On the primary marketplace the orders bring their lines.
    if (plan.marketplace === 'primarymkt') documents.add('orders', ordersOf(orderLines));
    else documents.add('orderLines', orderLines);
    for (const [dataset, rows] of Object.entries(others)) documents.add(dataset, rows);
    if (++days % daysPerTurn > 0) continue;
    documents.write();
    await new Promise((resolve) => setImmediate(resolve));
  }
  documents.add('inventory', stock.inventoryHistory(plan, recent.flat(), today, anchorDay));
  return documents.write();
}

/** Collects rows and writes them in chunks, because a chunk for a few rows is dear to import. */
class DocumentsOfRows {
  readonly #documents: Documents = {};
  readonly #waiting = new Map<string, object[]>();

  add(dataset: string, rows: readonly object[]): void {
    const waiting = this.#waiting.get(dataset) ?? [];
    waiting.push(...rows);
    this.#waiting.set(dataset, waiting);
  }

  /** Writes the rows that wait; returns all documents so far. */
  write(): Documents {
    for (const [dataset, rows] of this.#waiting) {
      if (rows.length === 0) continue;
      this.#documents[dataset] ??= [];
      this.#documents[dataset].push(linesOf(rows));
      this.#waiting.set(dataset, []);
    }
    return this.#documents;
  }
}

/** Imports the rates, unless the installation has rates already. */
async function importRates(parts: DemonstrationParts, history: string): Promise<void> {
  const extents = await parts.warehouse.extents(0, 'UTC');
  if (extents.some(({ table, rows }) => table === 'exchange_rate' && rows > 0)) return;
  await importFile(parts, { kind: 'referenceRates', fileName: 'eurofxref-hist.csv' }, history);
}

async function importChannel(
  parts: DemonstrationParts,
  channel: Selectable<ChannelRecord>,
  documents: Documents,
  adjustments: readonly object[],
): Promise<void> {
  const counts = await Promise.all(
    Object.entries(documents).map(([dataset, chunks]) =>
      importDocument(parts, channel, dataset, chunks),
    ),
  );
  if (adjustments.length > 0) {
    const body = { payload: { FinancialEvents: { AdjustmentEventList: adjustments } } };
    const file = { kind: 'financialEvents', fileName: 'financialEvents.json', channel } as const;
    await importFile(parts, file, JSON.stringify(body));
  }
  const rows = counts.reduce((sum, count) => sum + count, 0);
  parts.onProgress?.(`  ${channel.displayName}: ${rows.toLocaleString('en')} rows`);
}

/** Imports one document as an operator would; returns the number of its rows. */
async function importDocument(
  { importer }: DemonstrationParts,
  channel: Selectable<ChannelRecord>,
  dataset: string,
  chunks: readonly string[],
): Promise<number> {
  const { Readable } = await import('node:stream');
  const { rowsAccepted } = await importer.import(
    {
      content: { dataset, format: 'ndjson' },
      ...{ mediaType: 'application/x-ndjson', fileName: `${dataset}.ndjson` },
      channel,
      acceptsMultiDay: false,
      abortOnRejection: true,
    },
    Readable.from(chunks),
  );
  return rowsAccepted;
}

/** Imports a file as it was downloaded. */
async function importFile(
  { importer }: DemonstrationParts,
  file: {
    readonly kind: 'referenceRates' | 'financialEvents';
    readonly fileName: string;
    readonly channel?: Selectable<ChannelRecord>;
  },
  text: string,
): Promise<void> {
  const { kind, ...named } = file;
  const content = { document: true, kind, attributionDays: 14 } as const;
  const options = { acceptsMultiDay: false, abortOnRejection: true };
  const { Readable } = await import('node:stream');
  await importer.import({ content, ...named, ...options }, Readable.from([text]));
}

function linesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
