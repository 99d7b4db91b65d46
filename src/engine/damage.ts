/** Looks for what the stores and the report files no longer have as it was written. */
import type { Registry } from './registry.ts';
import { regularly } from './regularly.ts';
import type { Warehouse } from './warehouse.ts';

const dayMilliseconds = 86_400_000;

/** What is read. */
export type Verified = {
  readonly registry: Pick<Registry, 'verify'>;
  readonly warehouse: Pick<Warehouse, 'verify'>;
  /** Returns the names of damaged files. */
  readonly files: { verify(): Promise<string[]> };
};

/** What is being read, by its registry. */
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

/** Looks each day; returns the function that ends it. */
export function findDamageRegularly(
  verified: Verified,
  onDamage: (damaged: readonly string[]) => void,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const report = async () => {
    const damaged = await findDamage(verified);
    if (damaged.length > 0) onDamage(damaged);
  };
  return regularly(dayMilliseconds, report, onError);
}
