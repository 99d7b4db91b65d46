import type { Contract } from '../../contract/endpoint.ts';
import { isSchedulable } from '../../schedules/request.ts';
import { publicContracts } from '../contracts.ts';

/** The operation with a name; undefined if none can be scheduled. */
export function scheduledOperation(name: string): Contract | undefined {
  const contract = Object.values<Contract>(publicContracts).find((one) => one.operation === name);
  return contract && isSchedulable(contract) ? contract : undefined;
}
