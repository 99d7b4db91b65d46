/** The tables of facts that imports change, and the dates that they cover. */
import { factTable } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import type { DateRange, ImportBatch } from '../engine/warehouse.ts';

import { datasets } from './datasets/datasets.ts';
import { documentKinds } from './documents/kinds.ts';

/** The tables of the dataset `orders`. */
const orderTables = ['order_record', 'order_line'];

/**
 * The number of rows of a dataset that a later row of the document with the same key replaced. For
 * `orders`, the number of order records.
 */
export async function countMerged(batch: ImportBatch, dataset: string): Promise<number> {
  const [table, ...others] = dataset in datasets || dataset === 'orders' ? tablesOf(dataset) : [];
  const isKeyed = table !== undefined && factTable(table).replacement === 'byKey';
  if (!isKeyed || (others.length > 0 && dataset !== 'orders')) return 0;
  let count = 0;
  for await (const duplicates of batch.duplicates(table)) count += duplicates.length;
  return count;
}

/** The tables of facts that receive the rows of a dataset or document kind. */
export function tablesOf(name: string): readonly string[] {
  if (name === 'orders') return orderTables;
  const dataset = datasets[name];
  if (dataset) return dataset.destinations.map((destination) => destination.table);
  const kind = documentKinds.find((one) => one.name === name);
  return [
    ...new Set(
      (kind?.tables ?? []).flatMap((table) => (table in datasets ? tablesOf(table) : [table])),
    ),
  ];
}

/** The first and the last date of all tables. */
export function extremesOf(dates: Readonly<Record<string, DateRange>>): {
  firstDate: string | null;
  lastDate: string | null;
} {
  const ranges = Object.values(dates);
  if (ranges.length === 0) return { firstDate: null, lastDate: null };
  const first = Math.min(...ranges.map((range) => range.first));
  const last = Math.max(...ranges.map((range) => range.last));
  return { firstDate: isoDate(first), lastDate: isoDate(last) };
}
