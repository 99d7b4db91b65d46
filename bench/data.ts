/**
 * The data set of the benchmarks, made once by the service's own imports: 20 channels x 400 SKUs x
 * 730 days of order lines and traffic, and 40 campaigns per channel.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { defaultLimits } from '../src/config.ts';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { Importer } from '../src/import/importer.ts';
import { type DataFolder, dollarChannels, insertRecords, madeOnce, secret } from './folders.ts';
import { campaignDay, everySku, orderLine, textOf, trafficRow } from './rows.ts';

const campaigns = 40;

/** A data set with its size. */
export type BenchData = DataFolder & Readonly<Record<'channels' | 'skus' | 'days', number>>;

/** Makes the data set unless it exists. */
export async function benchData(channels: number, skus: number, days: number): Promise<BenchData> {
  const what = `${channels} channels x ${skus} SKUs x ${days} days of order lines and of traffic`;
  const data = await madeOnce(`${channels}x${skus}x${days}`, what, async (folder) => {
    const registry = await openSqlite(join(folder, 'registry.sqlite'));
    const warehouse = await openDuckdb(folder);
    await Promise.all([registry.migrate(), warehouse.migrate()]);
    const { key, inserted } = await insertRecords(registry, dollarChannels(channels));
    const importer = new Importer({ registry, warehouse, secret, limits: defaultLimits });
    for (const channel of inserted)
      for (const [dataset, rows] of [
        ['orderLines', everySku(days, skus, orderLine)],
        ['traffic', everySku(days, skus, trafficRow)],
        ['campaignDays', everySku(days, campaigns, campaignDay)],
      ] as const) {
        const content = { dataset, format: 'csv' } as const;
        await importer.import(
          { content, channel, acceptsMultiDay: false, abortOnRejection: true },
          Readable.from(textOf(rows, 'csv')),
        );
      }
    await Promise.all([warehouse.close(), registry.close()]);
    return key;
  });
  return { ...data, channels, skus, days };
}
