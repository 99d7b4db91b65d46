/** `vitrine imports`. */
import type { Command } from 'commander';
import type { AnswerOf } from '../contract/endpoint.ts';
import * as contracts from '../endpoints/operator/imports/contract.ts';
import { rejectionsStoredMax } from '../import/request.ts';
import { printRemoved } from './facts.ts';
import { addList, addOperation } from './operation.ts';
import { countOf, recordOf, tableOf } from './table.ts';
import { financeOf } from './upload.ts';
import { asTyped } from './wording.ts';

/** Adds the commands for imports. */
export function addImports(command: Command): void {
  addList(command, {
    contract: contracts.listImports,
    verb: 'list',
    rows: 'imports',
    columns: [
      { field: 'importId', heading: 'import' },
      { field: 'channelId', canCut: true },
      { field: 'dataset', canCut: true },
      'state',
      { field: 'rowsRead', heading: 'read' },
      { field: 'rowsRejected', heading: 'rejected' },
      'startedAt',
      { field: 'from', canDrop: true },
      { field: 'to', canDrop: true },
      { field: 'rowsAccepted', heading: 'accepted', canDrop: true },
      { heading: 'error', show: ({ error }) => error && asTyped(error), canDrop: true },
    ],
    examples: ['imports list --page-size 20', 'imports list --channel northwind-us --state failed'],
  });
  addOperation(command, {
    contract: contracts.readImport,
    verb: 'show',
    print({ finance, ...record }) {
      const typed = { ...record, error: record.error && asTyped(record.error) };
      console.log([recordOf(typed), ...(finance ? financeOf(finance) : [])].join('\n'));
    },
    examples: ['imports show "$IMPORT"', 'imports show "$IMPORT" --json'],
  });
  addOperation(command, {
    contract: contracts.listImportRejections,
    verb: 'rejected',
    print: printRejected,
    examples: ['imports rejected "$IMPORT"', 'imports rejected "$IMPORT" --json > rejected.json'],
  });
  addOperation(command, {
    contract: contracts.undoImport,
    verb: 'undo',
    print: printRemoved,
    examples: ['imports undo "$IMPORT" --dry-run', 'imports undo "$IMPORT" --yes'],
  });
}

function printRejected({ rejected }: AnswerOf<typeof contracts.listImportRejections>): void {
  if (rejected.length === 0) console.error('No rows were rejected.');
  else
    console.log(
      tableOf(rejected, [
        'line',
        { heading: 'reason', show: ({ reason }) => asTyped(reason), canCut: true },
      ]),
    );
  if (rejected.length === rejectionsStoredMax)
    console.error(
      `The service keeps the first ${countOf(rejectionsStoredMax)} rejected rows of an import; "vitrine imports show" counts all of them.`,
    );
}
