/** Looks for what the stores and the report files no longer have as it was written. */
import type { Registry } from './registry.ts';
import { regularly } from './regularly.ts';
import type { Warehouse } from './warehouse.ts';

const dayMilliseconds = 86_400_000;

/** The stores and files that are read. */
export type Verified = {
  readonly registry: Pick<Registry, 'verify'>;
  readonly warehouse: Pick<Warehouse, 'verify'>;
  /** Returns the names of damaged files. */
  readonly files: { verify(): Promise<string[]> };
};

/** The looks that have not ended, by their registries. */
const looks = new WeakMap<object, Promise<string[]>>();

/**
 * Reads everything; returns the names of damaged stores and files. Calls at the same time share one
 * look.
 */
export function findDamage(verified: Verified): Promise<string[]> {
  const { registry } = verified;
  const running = looks.get(registry) ?? look(verified).finally(() => looks.delete(registry));
  looks.set(registry, running);
  return running;
}

async function look({ registry, warehouse, files }: Verified): Promise<string[]> {
  const [ofRegistry, ofWarehouse, damagedFiles] = await Promise.all([
    registry.verify(),
    warehouse.verify(),
    files.verify(),
  ]);
  const stores = [...(ofRegistry ? ['registry'] : []), ...(ofWarehouse ? ['warehouse'] : [])];
  return [...stores, ...damagedFiles];
}

/** Looks each day, and logs what is damaged; returns the function that ends it. */
export function findDamageRegularly(
  verified: Verified,
  log: { error(fields: object, text: string): void },
  onError: (error: unknown) => void,
): () => Promise<void> {
  const report = async () => {
    const damaged = await findDamage(verified);
    if (damaged.length === 0) return;
    log.error({ damaged }, 'stores or files are not as they were written');
  };
  return regularly(dayMilliseconds, report, onError);
}
