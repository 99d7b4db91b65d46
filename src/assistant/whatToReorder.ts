/** The tool `what_to_reorder`: the SKUs to send to the marketplace, the most urgent first. */
import Type from 'typebox';
import { withoutMark } from '../contract/spreadsheets.ts';
import { createInventoryReplenishmentReport } from '../endpoints/reports/create/inventoryReplenishment/contract.ts';
import { readReportStatus } from '../endpoints/reports/status/contract.ts';
import { LineSplitter, RecordReader } from '../import/formats/lines.ts';
import { linkPathOf } from '../report/reportLinks.ts';
import { type Api, type Calls, refusalOf, ToolRefusal } from './api.ts';
import type { Figures } from './output.ts';
import { type Store, type StoresInput, storesField, storesOf } from './storesOf.ts';
import { quoted } from './texts.ts';
import { thinkingTool } from './tool.ts';

/** The most stores whose reports are read. */
const storesMax = 3;
const rowsMax = 50;
const rowsDefault = 20;

/** Pauses between looks at a report, in milliseconds. */
const pauses = [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000];
/** The part of a file that is read at a time, and how many parts. */
const partBytes = 1_048_576;
const partsMax = 32;

/** A SKU to send, the one with the earliest day of reorder first. */
type Sku = {
  /** The name of the store. */
  readonly store: string;
  readonly sku: string;
  readonly asin: string;
  readonly title: string;
  /** Units to send. */
  readonly units: number;
  /** When to send them, as a day; a past one is overdue. */
  readonly reorder: string | null;
  /** When stock ends, as a day. */
  readonly stockOut: string | null;
  /** Units that can be sold now. */
  readonly available: number | null;
  /** Units on their way. */
  readonly inbound: number | null;
  /** How many days the stock lasts. */
  readonly daysOfCover: number | null;
};

/** The tool. */
export const whatToReorder = thinkingTool(
  {
    name: 'what_to_reorder',
    title: 'What to reorder?',
    description:
      'Which SKUs of seller stores to send to the marketplace, how many units and by when, from ' +
      'the inventory replenishment report. Creates a report for each store and waits for it; ' +
      'creating it and each look at its status count as requests.',
    isReadOnly: false,
    input: Type.Object({
      ...storesField(storesMax),
      limit: Type.Integer({
        minimum: 1,
        maximum: rowsMax,
        default: rowsDefault,
        description: 'SKUs to show.',
      }),
    }),
  },
  think,
);

type Input = StoresInput & { readonly limit: number };

async function think({ limit, ...input }: Input, calls: Calls): Promise<Figures> {
  const found = new Urgent(limit);
  for (const store of await storesOf(calls, input, storesMax)) {
    const path = await fileOf(calls, store);
    await readRows(calls.api, path, (row) => found.add(store, row));
  }
  const { skus, toReorder, unitsToReorder, outOfStock, skusRead } = found;
  return {
    summary: [
      `${toReorder} of ${skusRead} SKUs need ${unitsToReorder} units, ${outOfStock} of them are out of stock.`,
      ...(toReorder > skus.length ? [`Shows ${skus.length}; a larger limit shows more.`] : []),
    ].join(' '),
    answer: { skus, toReorder, unitsToReorder, outOfStock, skusRead },
  };
}

/** Creates the report of a store, and waits for the path of its file. */
async function fileOf(calls: Calls, store: Store): Promise<string> {
  const { channelId, merchantId } = store;
  const named = { channelId, merchantId };
  const { reportId } = await calls.ask(createInventoryReplenishmentReport, named);
  for (const pause of [0, ...pauses]) {
    if (pause > 0) await calls.api.pause(pause);
    const { downloadUrl, status, error } = await calls.ask(readReportStatus, { reportId });
    if (downloadUrl !== undefined) return linkPathOf(downloadUrl);
    if (status === 'errored')
      throw new ToolRefusal(
        `the report of ${quoted(store.displayName)} failed: ${error ?? 'try again'}`,
      );
  }
  throw new ToolRefusal(
    `the report of ${quoted(store.displayName)} takes longer than an answer may: ask again in a minute`,
  );
}

type Cells = Readonly<Record<string, string | undefined>>;

/** Reads the rows of a CSV file part by part, so that a long one takes little memory. */
async function readRows(api: Api, path: string, onRow: (row: Cells) => void): Promise<void> {
  let names: readonly string[] | undefined;
  const records = new RecordReader((cells, _line, problem) => {
    if (problem !== undefined) throw new ToolRefusal('the file of the report cannot be read');
    if (names === undefined) names = cells;
    else onRow(Object.fromEntries(names.map((name, index) => [name, cells[index]])));
  });
  const lines = new LineSplitter((text, line, problem) => records.line(text, line, problem));
  for (let part = 0, isLast = false; !isLast; part++) {
    if (part === partsMax)
      throw new ToolRefusal('the file of the report is too long to be read here');
    const first = part * partBytes;
    const range = `bytes=${first}-${first + partBytes - 1}`;
    const answer = await api.send({ method: 'GET', path, headers: { range } });
    if (answer.status !== 206 && answer.status !== 200) throw refusalOf(answer);
    lines.push(answer.bytes);
    const size = Number(answer.header('content-range')?.split('/')[1] ?? 0);
    isLast = first + answer.bytes.length >= size;
  }
  lines.end();
}

/** Collects the most urgent SKUs, and counts all of them. */
class Urgent {
  readonly skus: Sku[] = [];
  toReorder = 0;
  unitsToReorder = 0;
  outOfStock = 0;
  skusRead = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add({ displayName }: Store, row: Cells): void {
    this.skusRead++;
    const sku = skuOf(displayName, row);
    if (sku.units <= 0) return;
    this.toReorder++;
    this.unitsToReorder += sku.units;
    if (sku.available === 0) this.outOfStock++;
    const at = this.skus.findIndex((other) => isBefore(sku, other));
    this.skus.splice(at < 0 ? this.skus.length : at, 0, sku);
    this.skus.length = Math.min(this.skus.length, this.#limit);
  }
}

/** SKUs without a day come last; on the same day, more units come first. */
function isBefore(one: Sku, other: Sku): boolean {
  if (one.reorder === other.reorder) return one.units > other.units;
  return one.reorder !== null && (other.reorder === null || one.reorder < other.reorder);
}

function skuOf(store: string, row: Cells): Sku {
  const number = (name: string) => (row[name] ? Number(row[name]) : null);
  return {
    store,
    sku: withoutMark(row.sku ?? ''),
    asin: withoutMark(row.asin ?? ''),
    title: withoutMark(row.productName ?? ''),
    units: number('replenUnits') ?? 0,
    reorder: row.estimatedReorderDate || null,
    stockOut: row.projectedOOSDate || null,
    available: number('available'),
    inbound: (number('inboundQuantity') ?? 0) + (number('awdInboundQuantity') ?? 0),
    daysOfCover: number('daysCover'),
  };
}
