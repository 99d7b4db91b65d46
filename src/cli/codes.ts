/** `vitrine codes`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/financeCodes/contract.ts';
import { addList, addOperation, addRemoval } from './operation.ts';
import { recordOf } from './table.ts';

/** Adds the commands for the codes that decide where financial amounts belong. */
export function addCodes(command: Command): void {
  addList(command, {
    contract: contracts.listFinanceCodes,
    verb: 'list',
    rows: 'financeCodes',
    columns: [
      'line',
      'origin',
      'source',
      { field: 'type', canCut: true },
      { field: 'component', canCut: true },
      { field: 'code', canCut: true },
      { field: 'updatedAt', canDrop: true },
    ],
    examples: ['codes list --source settlement', 'codes list --line reimbursements --json'],
  });
  addOperation(command, {
    contract: contracts.readFinanceBooking,
    verb: 'explain',
    print({ entry }, options) {
      const amount = amountOf(options as Readonly<Record<string, unknown>>);
      if (entry !== null) console.log(`${amount}\n${recordOf(entry)}`);
      else
        console.log(
          `No code matches ${amount}: credits count as otherIncome, debits as otherExpenses. Change this with "vitrine codes set".`,
        );
    },
    examples: [
      'codes explain --source settlement --type Order --component ItemFees --code Commission',
      'codes explain --source transactions --type Refund --component AmazonFees --code Commission --json',
    ],
  });
  addOperation(command, {
    contract: contracts.saveFinanceCode,
    verb: 'set',
    print({ advice, ...entry }) {
      console.log(recordOf(entry));
      console.error(advice);
    },
    examples: [
      'codes set --source settlement --code "Vine Fee" --line sellingFees',
      "codes set --source settlement --type 'Order|Refund' --component ItemFees --code 'Handling*' --line shippingFees",
    ],
  });
  addRemoval(
    command,
    contracts.deleteFinanceCode,
    'remove',
    'Code removed. Documents imported earlier keep their postings until you import them again.',
    'codes remove --source settlement --code "Vine Fee"',
    "codes remove --source settlement --type 'Order|Refund' --component ItemFees --code 'Handling*' --yes",
  );
}

/** The names of an amount, as they were typed. */
function amountOf(options: Readonly<Record<string, unknown>>): string {
  return ['source', 'type', 'component', 'code']
    .filter((name) => options[name] !== undefined)
    .map((name) => `${name} ${JSON.stringify(options[name])}`)
    .join(', ');
}
