/**
 * Advertising documents that earlier versions read differently, and that should be imported again.
 */
import type { Channel } from '../access/channels.ts';
import { dayNumber } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import type { Registry } from '../engine/registry.ts';
import type { DateRange, QueryLimits, Warehouse } from '../engine/warehouse.ts';

/** Reports of keywords and targets, which now count for campaigns and ad groups as well. */
const targets = [
  ...['adsSpKeywords', 'adsSbKeywords'],
  ...['adsSpConsoleKeywords', 'adsSbConsoleKeywords', 'adsConsoleKeywords'],
];
/** Reports of campaigns, which may have been divided by placement or audience. */
const campaigns = ['adsSpCampaigns', 'adsSbCampaigns'];
/** The least number of rows per fact that shows that a report was divided. */
const rowsPerFact = 1.5;

const campaignFacts = questionFile<{
  import_id: number;
  facts: number;
  days: number;
}>(import.meta.url, 'campaignFacts.sql');

/** The documents of a channel to import again: their dates and imports. */
export type EarlierReadings = DateRange & { readonly imports: readonly number[] };

type EarlierImport = DateRange & {
  readonly importId: number;
  readonly channelNumber: number;
  readonly dataset: string;
  readonly reading: number | null;
  readonly rowsAccepted: number;
};

/** Finds documents of earlier versions that no later import has replaced, by their channel. */
export async function readEarlierReadings(
  { registry, warehouse }: { readonly registry: Registry; readonly warehouse: Warehouse },
  channels: readonly Channel[],
  limits: QueryLimits,
): Promise<ReadonlyMap<Channel, EarlierReadings>> {
  const byNumber = new Map(channels.map((channel) => [channel.channelNumber, channel]));
  const all = (await advertisingImports(registry, channels)).filter(({ channelNumber }) =>
    byNumber.has(channelNumber),
  );
  const open = all.filter((one) => one.reading === null && !isReplaced(one, all));
  const divided = await dividedReports(
    warehouse,
    open.filter(({ dataset }) => campaigns.includes(dataset)),
    limits,
  );
  const found = open.filter(
    ({ dataset, importId }) => targets.includes(dataset) || divided.has(importId),
  );
  const groups = Map.groupBy(found, ({ channelNumber }) => byNumber.get(channelNumber)!);
  return new Map(
    [...groups].map(([channel, own]) => [
      channel,
      {
        first: Math.min(...own.map(({ first }) => first)),
        last: Math.max(...own.map(({ last }) => last)),
        imports: own.map(({ importId }) => importId),
      },
    ]),
  );
}

/** The imports of these kinds, for one channel or all, in order. */
async function advertisingImports(
  { records }: Registry,
  channels: readonly Channel[],
): Promise<readonly EarlierImport[]> {
  const kinds = [...targets, ...campaigns];
  const [only] = channels.length === 1 ? channels : [];
  const earlier = await records
    .selectFrom('import')
    .select(['importId', 'channelNumber', 'dataset', 'reading', 'rowsAccepted'])
    .select(['firstDate', 'lastDate'])
    .where('state', '=', 'done')
    .where('dataset', 'in', kinds)
    .$if(only !== undefined, (query) => query.where('channelNumber', '=', only!.channelNumber))
    .orderBy('importId')
    .execute();
  return earlier.flatMap(({ firstDate, lastDate, channelNumber, ...one }) =>
    firstDate === null || lastDate === null || channelNumber === null
      ? []
      : { ...one, channelNumber, first: dayNumber(firstDate), last: dayNumber(lastDate) },
  );
}

/** Whether later imports of the same kind cover every day of an import. */
function isReplaced(one: EarlierImport, all: readonly EarlierImport[]): boolean {
  const later = all
    .filter(
      ({ importId, channelNumber, dataset }) =>
        importId > one.importId && channelNumber === one.channelNumber && dataset === one.dataset,
    )
    .sort((first, second) => first.first - second.first);
  let day = one.first;
  for (const { first, last } of later) if (first <= day) day = Math.max(day, last + 1);
  return day > one.last;
}

/** The reports of campaigns among these that had several rows for one campaign and day. */
async function dividedReports(
  warehouse: Warehouse,
  reports: readonly EarlierImport[],
  limits: QueryLimits,
): Promise<ReadonlySet<number>> {
  if (reports.length === 0) return new Set();
  const parameters = {
    channels: [...new Set(reports.map(({ channelNumber }) => channelNumber))],
    imports: reports.map(({ importId }) => importId),
    first: Math.min(...reports.map(({ first }) => first)),
    last: Math.max(...reports.map(({ last }) => last)),
  };
  const factsOf = new Map(
    (await warehouse.ask(campaignFacts, parameters, limits)).map((row) => [row.import_id, row]),
  );
  const divided = reports.filter(({ importId, rowsAccepted, first, last }) => {
    const { facts = 0, days = 0 } = factsOf.get(importId) ?? {};
    // Later documents may have replaced some of its days.
    return facts > 0 && rowsAccepted / (last - first + 1) >= (rowsPerFact * facts) / days;
  });
  return new Set(divided.map(({ importId }) => importId));
}
