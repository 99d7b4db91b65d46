/** `vitrine operators`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/operators/contract.ts';
import { addList, addOperation, addRemoval, printNew } from './operation.ts';

/** Adds the commands for operators. */
export function addOperators(command: Command): void {
  addList(command, {
    contract: contracts.listOperators,
    verb: 'list',
    rows: 'operators',
    columns: [
      'operatorId',
      { field: 'name', canCut: true },
      { heading: 'scopes', show: ({ scopes }) => scopes.join(', ') },
      { field: 'createdAt', heading: 'created' },
    ],
    examples: ['operators list', 'operators list --json'],
  });
  addOperation(command, {
    contract: contracts.createOperator,
    verb: 'create',
    hasQuiet: true,
    print: ({ operatorId, token }, options) =>
      printNew(token, `Operator ${operatorId} created. ${copyIt}`, options),
    examples: [
      'operators create --name nightly-import --scopes read import',
      'operators create --name maria --scopes administer --quiet > token.txt',
    ],
  });
  addOperation(command, {
    contract: contracts.rotateOperator,
    verb: 'rotate',
    hasQuiet: true,
    print: ({ token }, options) => printNew(token, `Token replaced. ${copyIt}`, options),
    examples: [
      'operators rotate "$OPERATOR_ID" --grace-seconds 86400',
      'operators rotate "$OPERATOR_ID" --json',
    ],
  });
  addRemoval(
    command,
    contracts.deleteOperator,
    'delete',
    'Operator deleted.',
    'operators delete "$OPERATOR_ID"',
  );
}

const copyIt = 'Copy the token now: it will not be shown again.';
