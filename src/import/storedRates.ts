/** The exchange rates that an installation has, by source. */
import { ownRates } from '../../schema/warehouse/tables.ts';
import { questionFile } from '../engine/question.ts';
import { channelLock, type Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';

const limits = { deadlineMilliseconds: 60_000 };
const newestPublished = questionFile<{ day: number }>(import.meta.url, 'newestPublished.sql');
const ownRateDays = questionFile(import.meta.url, 'ownRateDays.sql');
const unmarked = questionFile<{ found: number }>(import.meta.url, 'unmarkedRates.sql');

/** The day of the newest published rate, as a day number; undefined if there is none. */
export async function newestPublishedDay(warehouse: Warehouse): Promise<number | undefined> {
  const [newest] = await warehouse.ask(newestPublished, { channel: 0 }, limits);
  return newest?.day;
}

/**
 * Marks rates that an operator imported before rates had sources as the operator's own, so that no
 * published history replaces them.
 */
export async function markOwnRates(registry: Registry, warehouse: Warehouse): Promise<void> {
  const found = await registry.records
    .selectFrom('import')
    .select('importId')
    .where('dataset', '=', 'exchangeRates')
    .where('state', '=', 'done')
    .execute();
  const parameters = { channel: 0, imports: found.map(({ importId }) => importId), ownRates };
  if (found.length === 0) return;
  const count = async () => (await warehouse.ask(unmarked, parameters, limits))[0]!.found;
  if ((await count()) === 0) return;
  const changed = "source = '' AND in_list(import_id, {imports:Array(Int64)})";
  const isKnown = `(day, currency) IN (${ownRateDays.sql})`;
  const amendment = {
    table: 'exchange_rate',
    parameters,
    changed,
    removed: `${changed} AND ${isKnown}`,
    set: { source: '{ownRates:String}' },
  };
  await registry.withLock(channelLock(0), () =>
    warehouse.amend({ importId: 0, channel: 0 }, [amendment], 'UTC'),
  );
}
