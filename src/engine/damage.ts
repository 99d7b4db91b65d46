/** Looks for what the stores and the report files no longer have as it was written. */
import type { Registry } from './registry.ts';
import { regularly } from './regularly.ts';
import type { Warehouse } from './warehouse.ts';

/** A start is over by then. */
const firstMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;

/** The stores and files that are read. */
export type Verified = {
  readonly registry: Pick<Registry, 'verify'>;
  readonly warehouse: Pick<Warehouse, 'verify'>;
  /** Returns the names of damaged files. */
  readonly files: { verify(): Promise<string[]> };
};

/** The names of damaged stores and files that a look has found, when it ended, and its length. */
export type Look = {
  readonly at: number;
  readonly milliseconds: number;
  readonly damaged: readonly string[];
};

/** Looks on request take at most one part in so many of the time. */
const restTimes = 20;
/** Looks as short as this are taken at any time. */
const shortMilliseconds = 1_500;

/** The looks of the stores, by their registries: the one that has not ended, and the last ended. */
const looks = new WeakMap<object, { running?: Promise<Look> | undefined; last?: Look }>();

/** Reads everything. Calls at the same time share one look. */
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
 * Reads everything, unless that takes long and was done shortly before: then it returns the last
 * look, so that requests for it do not keep the disks busy.
 */
export async function findDamageUnlessRecent(verified: Verified): Promise<Look> {
  const last = lastLook(verified);
  const isRecent =
    last !== undefined &&
    last.milliseconds > shortMilliseconds &&
    Date.now() - last.at < last.milliseconds * restTimes;
  return isRecent ? last : await findDamage(verified);
}

/** The last look that ended; undefined before the first one has. */
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

/** Looks after the start and each day, and logs what is damaged; returns the function that ends it. */
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
