/**
 * The whole service over a data folder, which benchmarks start. Its last arguments are the
 * megabytes of the working set and the folder.
 */
import { defaultLimits, threadsFor } from '../src/config.ts';
import { defaultCluster } from '../src/engine/cluster.ts';
import { acceptStores, compareStores } from '../src/engine/pairing.ts';
import { openRegistry, openWarehouse, start } from '../src/main.ts';
import { stopOnSignals } from '../src/stopping.ts';
import { secret } from './folders.ts';

const stores = {
  dataFolder: process.argv.at(-1)!,
  databaseUrl: undefined,
  clickhouseUrl: undefined,
  clickhouseReaderUrl: undefined,
  storeAuthorities: undefined,
  origins: undefined,
  clickhouseCluster: defaultCluster,
};
const [workingSet] = process.argv.slice(2, -1);
const limits = {
  ...defaultLimits,
  ...(workingSet !== undefined && { workingSetMegabytes: Number(workingSet) }),
};
await acceptFacts();
process.env.UV_THREADPOOL_SIZE ??= String(threadsFor(defaultLimits));
const running = await start(
  {
    ...stores,
    host: '127.0.0.1',
    port: 0,
    redisUrl: undefined,
    reportStore: undefined,
    publicUrl: 'http://127.0.0.1',
    contact: undefined,
    operatorAddress: undefined,
    trustedProxies: [],
    webhooks: { allowsHttp: false, networks: [] },
    mailDomains: undefined,
    requiresSecondFactor: false,
    breachedPasswords: undefined,
    mail: undefined,
    environment: 'production',
    rates: 'off',
    runsJobs: true,
    secrets: [secret],
    operatorTokens: ['operator-token-of-the-benchmarks'],
    limits,
    log: { level: 'info', format: 'json' },
    metrics: undefined,
    hasTraces: false,
  },
  // Logs as in production, but discards the lines: the cost of writing depends on the target.
  { log: { level: 'info', stream: { write: () => undefined } } },
);
stopOnSignals(running);
process.send!(running.address);

/** Most benchmarks bring their facts into the warehouse without records of imports. */
async function acceptFacts(): Promise<void> {
  const pair = { registry: await openRegistry(stores), warehouse: await openWarehouse(stores) };
  await Promise.all([pair.registry.migrate(), pair.warehouse.migrate()]);
  await acceptStores(pair, await compareStores(pair));
  await Promise.all([pair.registry.close(), pair.warehouse.close()]);
}
