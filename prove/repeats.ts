/** Documents that several clients send several times, in any order: facts as if each came once. */
import { readdirSync, readFileSync } from 'node:fs';
import { facts } from '../schema/warehouse/tables.ts';
import { openWorld, type Pair, type Tenant, type World } from '../test/harness.ts';
import { held, importDocument, postImport } from '../test/imports.ts';
import { amountOf, type Extent, type Finding, found } from './promise.ts';

type Sample = { readonly name: string; readonly bytes: Buffer };

const folder = new URL('../samples/', import.meta.url);
const roundsInFull = { embedded: 20, served: 5 };
const timesMax = 5;
const clients = 4;
const vendorChannel = { kind: 'vendor', marketplace: 'primarymkt' } as const;
const isVendors = ({ name }: Sample) => name.startsWith('vendor');
const samples: readonly Sample[] = readdirSync(folder).map((name) => ({
  name,
  bytes: readFileSync(new URL(name, folder)),
}));

/** Sends a sample to the channel that it is about; returns why it was refused. */
async function send(world: World, { name, bytes }: Sample, channelId: string) {
  const unitCosts = `/operator/imports/unitCosts?channelId=${channelId}`;
  const { status, body } = name.startsWith('unit-costs')
    ? await postImport(world, unitCosts, bytes, 'text/csv')
    : await importDocument(world, channelId, bytes);
  return status === 200 ? undefined : `${name}: ${status} ${body.error}`;
}

/** The arrival of a list of campaigns or ad groups that names no time of its own. */
const arrivals = ['campaign', 'ad_group'];

/**
 * All facts of a channel, but for the numbers of imports, arrivals, and sealed texts, which differ
 * each time; the hash beside each is compared.
 */
async function factsOf(world: World, tenant: Tenant): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { name, columns, history } of facts) {
    const names = Object.keys(columns).filter(
      (column) =>
        column !== history?.column &&
        !column.startsWith('sealed_') &&
        !(arrivals.includes(name) && column === 'updated_at'),
    );
    const rows = await held(world, tenant, name, names.join(', '));
    found.set(
      name,
      JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
  }
  return found;
}

/** The first row of a table that another lacks. */
function differing(rows: string, others: string): string {
  const known = new Set((JSON.parse(others) as unknown[]).map((row) => JSON.stringify(row)));
  const other = (JSON.parse(rows) as unknown[]).map((row) => JSON.stringify(row));
  return other.find((row) => !known.has(row)) ?? 'rows are missing';
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => [Math.random(), one] as const)
    .sort(([one], [other]) => one - other)
    .map(([, one]) => one);
}

/** A shop with both kinds of channels, to which several clients send `order`. */
async function shopOf(world: World, order: readonly Sample[], senders: number) {
  const seller = await world.tenant();
  const vendor = { ...seller, channelId: `vendor-of-${seller.channelId}` };
  await world.channel(seller.organisationId, vendor.channelId, vendorChannel);
  const queue = [...order];
  const refusals: string[] = [];
  const client = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { channelId } = isVendors(next) ? vendor : seller;
      const refusal = await send(world, next, channelId);
      if (refusal !== undefined) refusals.push(refusal);
    }
  };
  await Promise.all(Array.from({ length: senders }, client));
  return { refusals, found: [await factsOf(world, seller), await factsOf(world, vendor)] };
}

/** Sends samples in many orders on a pair of stores. */
export async function measureRepeats(pair: Pair, extent: Extent): Promise<Finding> {
  const rounds = amountOf(extent, roundsInFull[pair], 2);
  const world = await openWorld(pair, { logLevel: 'fatal' });
  try {
    const once = await shopOf(world, samples, 1);
    const wrong = once.refusals;
    let sent = 0;
    for (let round = 1; round <= rounds; round++) {
      const order = shuffled(
        samples.flatMap((one) =>
          Array.from({ length: 1 + Math.floor(Math.random() * timesMax) }, () => one),
        ),
      );
      sent += order.length;
      const { refusals, found: tablesOf } = await shopOf(world, order, clients);
      wrong.push(...refusals);
      for (const [index, tables] of tablesOf.entries())
        for (const [table, rows] of tables)
          if (rows !== once.found[index]!.get(table)) {
            wrong.push(`${table} differs`);
            extent.say(
              `${table} in round ${round}: ${differing(rows, once.found[index]!.get(table)!)}`,
            );
          }
    }
    const names = wrong.length === 0 ? '' : ` (${[...new Set(wrong)].slice(0, 3).join('; ')})`;
    return found(
      wrong.length === 0,
      `${sent} documents in ${rounds} orders of ${samples.length}, by ${clients} clients at once: ` +
        `${wrong.length} refusals and differences${names}`,
    );
  } finally {
    await world.close();
  }
}
