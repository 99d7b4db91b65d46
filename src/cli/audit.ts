/** `vitrine audit`. */
import type { Command } from 'commander';
import { overviewContracts as contracts } from '../endpoints/operator/overviewContracts.ts';
import { addList } from './operation.ts';

/** Makes `command` the list of who changed what. */
export function addAudit(command: Command): void {
  addList(command, {
    contract: contracts.listAudit,
    rows: 'entries',
    columns: [
      { field: 'at', heading: 'when' },
      { field: 'actor', mayBeCut: true },
      'action',
      { field: 'subject', mayBeCut: true },
      { field: 'detail', mayBeCut: true },
    ],
    examples: ['audit --page-size 20', 'audit --subject northwind-us', 'audit --json'],
  });
}
