/** Requests to a service that dies while it answers them. */
import type { Service } from '../test/service.ts';

/** The failures that a load has found. */
export type Damage = {
  /** Acknowledged, but gone. */
  lost: number;
  /** Present more often than it was sent. */
  doubled: number;
  /** Present in part. */
  torn: number;
  /** Records and files that an import left behind. */
  left: number;
};

/** Requests to a service that dies while it answers them. */
export type Load = {
  readonly name: string;
  readonly damage: Damage;
  /** The number of acknowledgements. */
  acknowledged: number;
  /** Kills that met a request or a job under way. */
  met: number;
  /** Sends requests until the kill, and resolves once none is under way. */
  readonly run: (service: Service, isKilled: AbortSignal) => Promise<void>;
  /** Compares the service with all that it has acknowledged. */
  readonly check: (service: Service) => Promise<void>;
  /** The same, once all jobs have ended. */
  readonly finish: (service: Service) => Promise<void>;
};

/** Fresh figures of a load. */
export function noDamage(): Damage {
  return { lost: 0, doubled: 0, torn: 0, left: 0 };
}
