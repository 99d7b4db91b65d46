/** Looks for damage: bytes of the stores and report files that differ from what was written. */
import type { Registry } from './registry.ts';
import { regularly } from './regularly.ts';
import type { Warehouse } from './warehouse.ts';

/** By then the service has started. */
const firstMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;

/** The stores and files to read. */
export type Verified = {
  readonly registry: Pick<Registry, 'verify'>;
  readonly warehouse: Pick<Warehouse, 'verify'>;
  /** Returns the names of damaged files. */
  readonly files: { verify(): Promise<string[]> };
};

/** The names of damaged stores and files that a look found, when it ended, and its duration. */
export type Look = {
  readonly at: number;
  readonly milliseconds: number;
  readonly damaged: readonly string[];
};

/** Looks on request take at most one part in this many of the time. */
const restTimes = 20;
/** Looks as short as this may start at any time. */
const shortMilliseconds = 1_500;

/** By registry, the looks of its stores: the running one and the last one that ended. */
const looks = new WeakMap<object, { running?: Promise<Look> | undefined; last?: Look }>();

/** Reads everything. Concurrent calls share one look. */
export function findDamage(verified: Verified): Promise<Look> {
  const own = looks.get(verified.registry) ?? {};
  looks.set(verified.registry, own);
  own.running ??= look(verified)
    .then((ended) => {
      own.last = ended;
      return ended;
    })
    .finally(() => {
      own.running = undefined;
    });
  return own.running;
}

/**
 * Reads everything, unless a long look ended recently: then it returns that look, so that requests
 * do not keep the disks busy.
 */
export async function findDamageUnlessRecent(verified: Verified): Promise<Look> {
  const last = lastLook(verified);
  const isRecent =
    last !== undefined &&
    last.milliseconds > shortMilliseconds &&
    Date.now() - last.at < last.milliseconds * restTimes;
  return isRecent ? last : await findDamage(verified);
}

/** The last look that ended; undefined before the first one. */
export function lastLook({ registry }: Pick<Verified, 'registry'>): Look | undefined {
  return looks.get(registry)?.last;
}

async function look({ registry, warehouse, files }: Verified): Promise<Look> {
  const begun = performance.now();
  const [ofRegistry, ofWarehouse, damagedFiles] = await Promise.all([
    registry.verify(),
    warehouse.verify(),
    files.verify(),
  ]);
  const stores = [...(ofRegistry ? ['registry'] : []), ...(ofWarehouse ? ['warehouse'] : [])];
  const milliseconds = performance.now() - begun;
  return { at: Date.now(), milliseconds, damaged: [...stores, ...damagedFiles] };
}

/** Looks after the start and once a day, and logs damage. Returns the function that stops it. */
export function findDamageRegularly(
  verified: Verified,
  log: { error(fields: object, text: string): void },
  onError: (error: unknown) => void,
): () => Promise<void> {
  const report = async () => {
    const { damaged } = await findDamage(verified);
    if (damaged.length === 0) return;
    log.error({ damaged }, 'stores or files are not as they were written');
  };
  const first = setTimeout(() => void report().catch(onError), firstMilliseconds);
  const end = regularly(dayMilliseconds, report, onError);
  return async () => {
    clearTimeout(first);
    await Promise.all([end(), looks.get(verified.registry)?.running?.catch(() => undefined)]);
  };
}
