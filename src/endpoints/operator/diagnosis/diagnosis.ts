/** Examines the service. Whatever does not answer, and whatever hangs, is a finding and no error. */
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { StoreUnavailable } from '../../../engine/errors.ts';
import type { StoreStatus } from '../../../engine/health.ts';
import { loggedError } from '../../../http/errors.ts';
import { type OperatorContext, type OperatorHandler, seconds, today } from '../handler.ts';
import type { overviewContracts as contracts } from '../overviewContracts.ts';
import { ratesOn } from '../rates/rates.ts';
import {
  type Finding,
  failed,
  judgeClock,
  judgeConfiguration,
  judgeDisk,
  judgeFacts,
  judgeImports,
  judgeKeys,
  judgeNode,
  judgeRates,
  judgeStore,
  spans,
  well,
  worst,
} from './findings.ts';

/** What does not answer for so long is not waited for. */
const lookMilliseconds = 2_000;
/** The numbers of so many imports are told. */
const importsTold = 10;

/** A look at one part of the service, and what to do where that part does not let itself be looked at. */
type Look = {
  readonly subject: string;
  readonly remedy: string;
  readonly look: () => Promise<Finding[]>;
};

/** Examines the service. */
export const diagnose: OperatorHandler<(typeof contracts)['diagnose']> = async (
  _asked,
  context,
) => {
  const findings = (await Promise.all(looks(context).map((look) => bounded(look, context)))).flat();
  return { state: worst(findings), at: seconds(context.now()), findings };
};

function looks(context: OperatorContext): Look[] {
  const { config, registry, warehouse, budgets, now } = context;
  const ofRegistry = 'See to the registry first, then examine again.';
  return [
    { subject: 'version', remedy: 'Install the service anew.', look: async () => versions() },
    {
      subject: 'configuration',
      remedy: 'Check the environment that the service is started with.',
      look: async () => judgeConfiguration(config),
    },
    {
      subject: 'registry',
      remedy:
        registry.engine === 'postgres'
          ? 'Start the PostgreSQL server that DATABASE_URL names, and check that this machine reaches it.'
          : `Check that the disk of ${config.dataFolder} can be read and written, then restart the service.`,
      look: () => examined('registry', registry, now),
    },
    {
      subject: 'warehouse',
      remedy:
        warehouse.engine === 'clickhouse'
          ? 'Start the ClickHouse server that CLICKHOUSE_URL names, and check that this machine reaches it.'
          : `Check that the disk of ${config.dataFolder} can be read and written, then restart the service.`,
      look: () => examined('warehouse', warehouse, now),
    },
    {
      subject: 'budgets',
      remedy: `Start the ${budgets.store === 'redis' ? 'Redis server that REDIS_URL' : 'PostgreSQL server that DATABASE_URL'} names: until it answers each node counts the requests of keys for itself.`,
      look: async () => {
        await budgets.ping();
        return [
          well(
            'budgets',
            budgets.store === 'memory'
              ? 'kept in the memory of this process'
              : `kept in ${storeNames[budgets.store]}`,
          ),
        ];
      },
    },
    {
      subject: 'disk',
      remedy: `Check that ${config.dataFolder} is there and can be read.`,
      async look() {
        const { bavail, blocks, bsize } = await statfs(config.dataFolder);
        return [judgeDisk(config.dataFolder, bavail * bsize, blocks * bsize)];
      },
    },
    { subject: 'imports', remedy: ofRegistry, look: () => imports(context) },
    {
      subject: 'exchange rates',
      remedy: 'See to the warehouse first, then examine again.',
      async look() {
        const day = today(now);
        const rates = await warehouse.ask(
          ratesOn,
          { channel: 0, day, currency: '' },
          { deadlineMilliseconds: lookMilliseconds },
        );
        return [
          judgeRates(
            rates.length === 0 ? undefined : Math.max(...rates.map((rate) => rate.day)),
            day,
          ),
        ];
      },
    },
    { subject: 'keys', remedy: ofRegistry, look: () => keys(context) },
    { subject: 'facts', remedy: ofRegistry, look: () => facts(context) },
  ];
}

const storeNames = { postgres: 'PostgreSQL', redis: 'Redis' } as const;

async function bounded(
  { subject, remedy, look }: Look,
  { log }: Pick<OperatorContext, 'log'>,
): Promise<Finding[]> {
  const late = Promise.withResolvers<Finding[]>();
  const timer = setTimeout(
    () => late.resolve([failed(subject, `no answer within ${lookMilliseconds / 1000} s`, remedy)]),
    lookMilliseconds,
  );
  try {
    return await Promise.race([look(), late.promise]);
  } catch (error) {
    // A driver's own words may name addresses and users: they are for the log.
    log.error(
      { subject, error: loggedError(error) },
      'the diagnosis could not look at a part of the service',
    );
    const finding =
      error instanceof StoreUnavailable
        ? `the ${error.store} cannot be reached`
        : 'it cannot be looked at';
    return [failed(subject, `${finding}; the log of this node tells why`, remedy)];
  } finally {
    clearTimeout(timer);
  }
}

function versions(): Finding[] {
  const { version, engines } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  ) as {
    version: string;
    engines: { node: string };
  };
  return [well('version', `Vitrine ${version}`), judgeNode(process.version, engines.node)];
}

async function examined(
  subject: string,
  store: { checkHealth(): Promise<StoreStatus> },
  now: () => number,
): Promise<Finding[]> {
  const before = now();
  const condition = await store.checkHealth();
  const clock =
    condition.clock === null
      ? []
      : [judgeClock(`clock of the ${subject}`, condition.clock, before, now())];
  return [judgeStore(subject, condition), ...clock];
}

async function imports({ registry: { records }, now }: OperatorContext): Promise<Finding[]> {
  const running = await records
    .selectFrom('import')
    .select('importId')
    .where('state', '=', 'running')
    .where('startedAt', '<', now() - spans.runningImport)
    .orderBy('importId')
    .limit(importsTold)
    .execute();
  const { failures } = await records
    .selectFrom('import')
    .select(({ fn }) => fn.countAll<number>().as('failures'))
    .where('state', '=', 'failed')
    .where('finishedAt', '>=', now() - spans.failedImport)
    .executeTakeFirstOrThrow();
  return judgeImports(
    running.map(({ importId }) => importId),
    failures,
  );
}

async function keys({ registry: { records }, now }: OperatorContext): Promise<Finding[]> {
  const at = now();
  const inUse = records
    .selectFrom('apiKey')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revokedAt', 'is', null)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', at)]));
  const withoutAccess = await inUse
    .innerJoin('userAccount', 'userAccount.userId', 'apiKey.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .where('organisation.apiAccess', '=', 0)
    .executeTakeFirstOrThrow();
  const ending = await inUse
    .where('expiresAt', '<=', at + spans.endingKey)
    .executeTakeFirstOrThrow();
  return [judgeKeys(withoutAccess.count, ending.count)];
}

async function facts({ registry: { records }, now }: OperatorContext): Promise<Finding[]> {
  const since = now() - spans.staleFacts;
  const channels = records
    .selectFrom('channel')
    .select(({ fn }) => fn.countAll<number>().as('count'));
  const all = await channels.executeTakeFirstOrThrow();
  const stale = await channels
    // A channel that has just been connected is given as long.
    .where('channel.createdAt', '<', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('import')
            .select('import.importId')
            .whereRef('import.channelNumber', '=', 'channel.channelNumber')
            .where('import.state', '=', 'done')
            .where('import.finishedAt', '>=', since)
            // It brings nothing: it divides anew what is held.
            .where('import.dataset', '<>', 'rebuild'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return [judgeFacts(stale.count, all.count)];
}
