/** `vitrine audit`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/audit/contract.ts';
import { addList } from './operation.ts';

/** Makes `command` list who changed what. */
export function addAudit(command: Command): void {
  addList(command, {
    contract: contracts.listAudit,
    rows: 'entries',
    columns: [
      { field: 'at', heading: 'when' },
      { field: 'actor', canCut: true },
      'action',
      { field: 'subject', canCut: true },
      { field: 'detail', canCut: true },
    ],
    examples: ['audit --page-size 20', 'audit --subject northwind-us', 'audit --json'],
  });
}
