/** The diagnosis of the service. A part that fails or hangs is a finding, not an error. */
import { access, constants, statfs } from 'node:fs/promises';
import type { Channel } from '../../../access/channels.ts';
import { seconds, utcDay } from '../../../access/records.ts';
import { readPackage } from '../../../config.ts';
import { findDamageUnlessRecent, lastLook } from '../../../engine/damage.ts';
import { StoreUnavailable } from '../../../engine/errors.ts';
import type { StoreStatus } from '../../../engine/health.ts';
import { compareStores, disagreementsOf } from '../../../engine/pairing.ts';
import { referenceRates } from '../../../import/documents/rates/referenceRates.ts';
import { readEarlierReadings } from '../../../import/earlierReadings.ts';
import { readEarlierPrices } from '../../../import/taxes/earlierPrices.ts';
import { unstatedTaxOf } from '../../../import/taxes/unstated.ts';
import { readValidRates } from '../../../report/validRates.ts';
import type { Context, Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';
import {
  type Finding,
  failed,
  judgeClock,
  judgeConfiguration,
  judgeDamage,
  judgeDisk,
  judgeFacts,
  judgeImports,
  judgeKeys,
  judgeNode,
  judgePairing,
  judgeRates,
  judgeReadings,
  judgeStore,
  judgeTaxes,
  spans,
  well,
  worst,
} from './findings.ts';

/** The deadline of each examination. */
const examinationMilliseconds = 2_000;
/** How long the diagnosis waits for everything to be read. */
const damageMilliseconds = 1_500;
/** The most imports that a finding lists. */
const importsMax = 10;

/** The examination of one part of the service, and advice for when the part cannot be examined. */
type Examination = {
  readonly subject: string;
  readonly advice: string;
  readonly run: () => Promise<Finding[]>;
};

/** Examines the service. */
export const diagnose: Handler<typeof contracts.diagnose> = async (_input, context) => {
  const examinations = [
    ...programExaminations(context),
    ...storeExaminations(context),
    damageExamination(context),
    ...resourceExaminations(context),
    ...recordExaminations(context),
  ];
  const findings = await Promise.all(examinations.map((one) => runBounded(one, context)));
  return { state: worst(findings.flat()), at: seconds(context.now()), findings: findings.flat() };
};

function programExaminations({ config }: Context<'operator'>): Examination[] {
  return [
    { subject: 'version', advice: 'Reinstall the service.', run: async () => versions() },
    {
      subject: 'configuration',
      advice: 'Check the environment that the service is started with.',
      run: async () => judgeConfiguration(config),
    },
  ];
}

function resourceExaminations({ config, budgets }: Context<'operator'>): Examination[] {
  const server =
    budgets.store === 'redis'
      ? 'Redis server that REDIS_URL'
      : 'PostgreSQL server that DATABASE_URL';
  return [
    {
      subject: 'budgets',
      advice: `Start the ${server} names: until it answers, each node counts the requests of keys by itself.`,
      run: async () => {
        await budgets.ping();
        return [well('budgets', `kept in ${budgetStores[budgets.store]}`)];
      },
    },
    {
      subject: 'disk',
      advice: `Check that ${config.dataFolder} exists and can be read.`,
      async run() {
        const folder = config.dataFolder;
        const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
        const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
          () => true,
          () => false,
        );
        const disk = { free: bavail * bsize, size: blocks * bsize, filesFree: ffree, files };
        return [judgeDisk(folder, { ...disk, isWritable })];
      },
    },
  ];
}

function storeExaminations({
  config,
  registry,
  warehouse,
  now,
}: Context<'operator'>): Examination[] {
  const diskAdvice = `Check that the disk of ${config.dataFolder} can be read and written, then restart the service.`;
  return [
    {
      subject: 'registry',
      advice:
        registry.engine === 'postgres'
          ? 'Start the PostgreSQL server that DATABASE_URL names, and check that this machine reaches it.'
          : diskAdvice,
      run: () => examineStore('registry', registry, now),
    },
    {
      subject: 'warehouse',
      advice:
        warehouse.engine === 'clickhouse'
          ? 'Start the ClickHouse server that CLICKHOUSE_URL names, and check that this machine reaches it.'
          : diskAdvice,
      run: () => examineStore('warehouse', warehouse, now),
    },
  ];
}

/**
 * Looks for damage for as long as the diagnosis waits; later diagnoses report what is found later.
 */
function damageExamination({
  registry,
  warehouse,
  files,
  after,
}: Context<'operator'>): Examination {
  return {
    subject: 'damage',
    advice: 'Repair the stores first, then examine again.',
    async run() {
      const late = Promise.withResolvers<undefined>();
      const timer = after(damageMilliseconds, () => late.resolve(undefined));
      const before = lastLook({ registry });
      const looking = findDamageUnlessRecent({ registry, warehouse, files });
      try {
        const ended = await Promise.race([looking, late.promise]);
        return [judgeDamage(ended ?? before, ended !== undefined && ended !== before)];
      } finally {
        timer.cancel();
        // Nobody is left to hear of a later failure.
        looking.catch(() => undefined);
      }
    },
  };
}

function recordExaminations(context: Context<'operator'>): Examination[] {
  const registryFirst = 'Repair the registry first, then examine again.';
  return [
    { subject: 'imports', advice: registryFirst, run: () => imports(context) },
    {
      subject: 'exchange rates',
      advice: 'Repair the warehouse first, then examine again.',
      run: () => exchangeRates(context),
    },
    {
      subject: 'pairing',
      advice: 'Repair both stores first, then examine again.',
      run: async () => [judgePairing(disagreementsOf(await compareStores(context)))],
    },
    { subject: 'keys', advice: registryFirst, run: () => keys(context) },
    { subject: 'facts', advice: registryFirst, run: () => facts(context) },
    {
      subject: 'taxes',
      advice: 'Repair both stores first, then examine again.',
      run: () => taxes(context),
    },
    {
      subject: 'readings',
      advice: 'Repair both stores first, then examine again.',
      run: () => readings(context),
    },
  ];
}

const budgetStores = {
  memory: 'the memory of this process',
  postgres: 'PostgreSQL',
  redis: 'Redis',
} as const;

/** Runs an examination within its deadline; failing and hanging are findings too. */
async function runBounded(
  { subject, advice, run }: Examination,
  { log, after }: Pick<Context<'operator'>, 'log' | 'after'>,
): Promise<Finding[]> {
  const late = Promise.withResolvers<Finding[]>();
  const timer = after(examinationMilliseconds, () =>
    late.resolve([failed(subject, `no answer within ${examinationMilliseconds / 1000} s`, advice)]),
  );
  try {
    return await Promise.race([run(), late.promise]);
  } catch (error) {
    // The message of a driver may name addresses and users, so only the log gets it.
    log.error({ subject, error }, 'the diagnosis could not examine a part of the service');
    const finding =
      error instanceof StoreUnavailable
        ? `the ${error.store} cannot be reached`
        : 'it cannot be examined';
    return [failed(subject, `${finding}; the log of this node says why`, advice)];
  } finally {
    timer.cancel();
  }
}

const limits = { deadlineMilliseconds: examinationMilliseconds };

function everyChannel({ registry }: Context<'operator'>): Promise<Channel[]> {
  return registry.records.selectFrom('channel').selectAll().orderBy('channelId').execute();
}

async function readings(context: Context<'operator'>): Promise<Finding[]> {
  const earlier = await readEarlierReadings(context, await everyChannel(context), limits);
  return [judgeReadings([...earlier.keys()].map(({ channelId }) => channelId).sort())];
}

async function taxes(context: Context<'operator'>): Promise<Finding[]> {
  const { registry, warehouse } = context;
  const channels = await everyChannel(context);
  const earlier = await readEarlierPrices({ registry, warehouse }, channels, limits, false);
  const unstated = channels.filter((channel) => Object.keys(unstatedTaxOf(channel)).length > 0);
  const idsOf = (some: readonly Channel[]) => some.map(({ channelId }) => channelId);
  return judgeTaxes(idsOf([...earlier.keys()]), idsOf(unstated));
}

async function exchangeRates({
  registry,
  warehouse,
  now,
}: Context<'operator'>): Promise<Finding[]> {
  const day = utcDay(now());
  const rates = await readValidRates(warehouse, day, undefined, {
    deadlineMilliseconds: examinationMilliseconds,
  });
  const { first } = await registry.records
    .selectFrom('import')
    .select(({ fn }) => fn.min('finishedAt').as('first'))
    .where('dataset', '=', referenceRates.name)
    .where('state', '=', 'done')
    .executeTakeFirstOrThrow();
  return judgeRates(rates, day, first === null ? undefined : utcDay(Number(first)));
}

function versions(): Finding[] {
  const { version, node } = readPackage();
  return [well('version', `Vitrine ${version}`), judgeNode(process.version, node)];
}

async function examineStore(
  subject: string,
  store: { checkHealth(): Promise<StoreStatus> },
  now: () => number,
): Promise<Finding[]> {
  const before = now();
  const status = await store.checkHealth();
  const clock =
    status.clock === null
      ? []
      : [judgeClock(`clock of the ${subject}`, status.clock, before, now())];
  return [judgeStore(subject, status), ...clock];
}

async function imports({ registry: { records }, now }: Context<'operator'>): Promise<Finding[]> {
  const running = await records
    .selectFrom('import')
    .select('importId')
    .where('state', '=', 'running')
    .where('startedAt', '<', now() - spans.runningImport)
    .orderBy('importId')
    .limit(importsMax)
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

async function keys({ registry: { records }, now }: Context<'operator'>): Promise<Finding[]> {
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

async function facts({ registry: { records }, now }: Context<'operator'>): Promise<Finding[]> {
  const since = now() - spans.staleFacts;
  const channels = records
    .selectFrom('channel')
    .select(({ fn }) => fn.countAll<number>().as('count'));
  const all = await channels.executeTakeFirstOrThrow();
  const stale = await channels
    // A new channel has the same time for its first import.
    .where('channel.createdAt', '<', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('import')
            .select('import.importId')
            .whereRef('import.channelNumber', '=', 'channel.channelNumber')
            .where('import.state', '=', 'done')
            .where('import.finishedAt', '>=', since)
            // A rebuild imports nothing.
            .where('import.dataset', '<>', 'rebuild'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return [judgeFacts(stale.count, all.count)];
}
