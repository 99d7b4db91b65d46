import type { Meter } from '../observation/meter.ts';
import { StoreUnavailable } from './errors.ts';

/** If a request or work failed by an error of a store, counts the error. */
export function countStoreError(meter: Meter, error: unknown): void {
  if (error instanceof StoreUnavailable)
    meter.add('vitrine_store_errors_total', { store: error.store });
}
