/** `vitrine usage`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/usage/contract.ts';
import { addList } from './operation.ts';

/** Makes `command` list how keys were used. */
export function addUsage(command: Command): void {
  addList(command, {
    contract: contracts.listUsage,
    rows: 'usage',
    columns: [
      'date',
      'keyId',
      { field: 'operation', canCut: true },
      'requests',
      'refused',
      'limited',
      'failed',
      { field: 'userId', canDrop: true },
      { field: 'organisationId', canDrop: true },
    ],
    examples: ['usage', 'usage --organisation "$ORGANISATION" --from 2026-01-01 --to 2026-01-31'],
  });
}
