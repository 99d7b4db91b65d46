/** `vitrine facts`. */
import type { Command } from 'commander';
import type { FactsRemoved } from '../contract/removals.ts';
import { deleteFacts } from '../endpoints/operator/facts/contract.ts';
import { addOperation } from './operation.ts';
import { countOf, tableOf } from './table.ts';

/** Adds the command that deletes facts. */
export function addFacts(command: Command): void {
  addOperation(command, {
    contract: deleteFacts,
    verb: 'delete',
    print: printRemoved,
    examples: [
      'facts delete --channel acme-us --dataset traffic --from 2026-01-01 --to 2026-01-31 --dry-run',
      'facts delete --channel acme-us --dataset products --yes',
    ],
  });
}

/** Prints what was removed, or would be. */
export function printRemoved({ dryRun, rows, datasets }: FactsRemoved): void {
  if (datasets.length > 0)
    console.log(tableOf(datasets, ['dataset', { field: 'rows', heading: 'facts' }, 'from', 'to']));
  const facts = `${countOf(rows)} ${rows === 1 ? 'fact' : 'facts'}`;
  console.error(dryRun ? `Nothing was changed: ${facts} would be removed.` : `Removed ${facts}.`);
}
