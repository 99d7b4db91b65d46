/** Whether this node should get requests: what is checked, and why it fails. */
import { statfs } from 'node:fs/promises';
import type { Log } from '../endpoints/handler.ts';
import type { Clock, Timer } from '../engine/clock.ts';
import type { StoreStatus } from '../engine/health.ts';
import type { Meter } from '../observation/meter.ts';
import { loggedError } from './errors.ts';

/** How long one check may take. */
const checkMilliseconds = 2_000;
const bytesPerMegabyte = 1_000_000;

/**
 * The parts that are checked. `rates` fails until a new installation has its exchange rates,
 * `stopping` once the service has begun to stop.
 */
export const checkNames = ['registry', 'warehouse', 'rates', 'disk', 'stopping'] as const;

/** One of the parts that are checked. */
export type CheckName = (typeof checkNames)[number];

type Store = { checkHealth(): Promise<StoreStatus> };

/** The parts that readiness depends on. */
export type ReadinessParts = {
  readonly registry: Store;
  readonly warehouse: Store;
  /** Whether the warehouse has published exchange rates; absent where nothing provides them. */
  readonly hasRates?: () => Promise<boolean>;
  readonly dataFolder: string;
  /** The free disk that the data folder needs, in megabytes; 0 for none. */
  readonly freeMegabytes: number;
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
  readonly after: Clock['after'];
  readonly log: Pick<Log, 'info' | 'warn'>;
};

/** Why checks fail, by their names; empty if the node is ready. */
export type Failures = ReadonlyMap<CheckName, string>;

/** The readiness of this node. Requests at the same time share one check. */
export class Readiness {
  readonly #parts: ReadinessParts;
  #checking: Promise<Failures> | undefined;
  #logged = '';
  /** Rates never disappear once they are there. */
  #hasRates = false;

  constructor(parts: ReadinessParts, meter: Meter) {
    this.#parts = parts;
    meter.gauge('vitrine_ready', async () => {
      const failures = await this.check();
      return checkNames.map((check) => [{ check }, failures.has(check) ? 0 : 1]);
    });
  }

  /** Checks all parts. Never rejects. */
  check(): Promise<Failures> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<Failures> {
    const { registry, warehouse, stopping } = this.#parts;
    const [ofRegistry, ofWarehouse, ofRates, ofDisk] = await Promise.all([
      this.#inTime(storeFailure(registry)),
      this.#inTime(storeFailure(warehouse)),
      this.#inTime(this.#ratesFailure()),
      this.#inTime(this.#diskFailure()),
    ]);
    const found: Readonly<Record<CheckName, string | undefined>> = {
      registry: ofRegistry,
      warehouse: ofWarehouse,
      rates: ofRates,
      disk: ofDisk,
      stopping: stopping.aborted ? 'the service is about to stop' : undefined,
    };
    const failures = new Map(
      checkNames.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]]])),
    );
    this.#logChange(failures);
    return failures;
  }

  async #ratesFailure(): Promise<string | undefined> {
    const { hasRates } = this.#parts;
    this.#hasRates ||= hasRates === undefined || (await hasRates());
    return this.#hasRates ? undefined : 'the shipped exchange rates are being imported';
  }

  async #diskFailure(): Promise<string | undefined> {
    const { dataFolder, freeMegabytes } = this.#parts;
    if (freeMegabytes === 0) return undefined;
    const { bavail, bsize } = await statfs(dataFolder);
    const free = Math.floor((bavail * bsize) / bytesPerMegabyte);
    return free < freeMegabytes ? `${free} MB free, less than ${freeMegabytes}` : undefined;
  }

  /** The failure that a check finds, or its own error or delay. */
  async #inTime(checking: Promise<string | undefined>): Promise<string | undefined> {
    const late = Promise.withResolvers<string>();
    const timer: Timer = this.#parts.after(checkMilliseconds, () =>
      late.resolve(`no answer within ${checkMilliseconds / 1000} s`),
    );
    const reasonOf = (error: unknown) => loggedError(error).message;
    try {
      return await Promise.race([checking.catch(reasonOf), late.promise]);
    } finally {
      timer.cancel();
    }
  }

  /** Probes come every few seconds, so only changes are logged. */
  #logChange(failures: Failures): void {
    const names = [...failures.keys()].join(', ');
    if (names === this.#logged) return;
    this.#logged = names;
    const { log } = this.#parts;
    if (failures.size === 0) log.info({}, 'the service is ready');
    else log.warn({ failures: Object.fromEntries(failures) }, 'the service is not ready');
  }
}

/** Why a store cannot be used: it does not answer, is damaged, or has the schema of another program. */
async function storeFailure(store: Store): Promise<string | undefined> {
  const { schema, isDamaged } = await store.checkHealth();
  const { held, newest } = schema;
  if (isDamaged) return 'a part of what it stores is damaged: restore a backup';
  if (held < newest) return `schema ${held} must be migrated to ${newest}: restart the service`;
  if (held > newest)
    return `schema ${held} is newer than this program's ${newest}: update the program`;
  return undefined;
}
