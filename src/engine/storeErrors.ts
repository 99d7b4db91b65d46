import type { Meter } from '../observation/meter.ts';
import { StoreUnavailable } from './errors.ts';

/** Counts an error by which a request or work failed, if it is that of a store. */
export function countStoreError(meter: Meter, error: unknown): void {
  if (error instanceof StoreUnavailable)
    meter.add('vitrine_store_errors_total', { store: error.store });
}
