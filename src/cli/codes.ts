/** `vitrine codes`. */
import type { Command } from 'commander';
import { financeCodesContracts as contracts } from '../endpoints/operator/financeCodes/contract.ts';
import { addList, addOperation } from './operation.ts';
import { recordOf } from './table.ts';

/** Adds the commands of the codes by which financial documents are booked. */
export function addCodes(command: Command): void {
  addList(command, {
    contract: contracts.listFinanceCodes,
    verb: 'list',
    rows: 'financeCodes',
    columns: [
      'line',
      'origin',
      'source',
      { field: 'type', mayBeCut: true },
      { field: 'component', mayBeCut: true },
      { field: 'code', mayBeCut: true },
      { field: 'updatedAt', mayBeLeftOut: true },
    ],
    examples: ['codes list --source settlement', 'codes list --line reimbursements --json'],
  });
  addOperation(command, {
    contract: contracts.readFinanceBooking,
    verb: 'explain',
    tell({ entry }) {
      if (entry !== null) console.log(recordOf(entry));
      else
        console.log(
          'No code fits: credits are booked as otherIncome, debits as otherExpenses. "vitrine codes set" says otherwise.',
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
    tell({ advice, ...entry }) {
      console.log(recordOf(entry));
      console.error(advice);
    },
    examples: [
      'codes set --source settlement --code "Vine Fee" --line sellingFees',
      "codes set --source settlement --type 'Order|Refund' --component ItemFees --code 'Handling*' --line shippingFees",
    ],
  });
  addOperation(command, {
    contract: contracts.deleteFinanceCode,
    verb: 'remove',
    tell: () =>
      console.error(
        'The code is deleted. Documents that were imported before stay booked as they are until they are imported again.',
      ),
    examples: [
      'codes remove --source settlement --code "Vine Fee"',
      "codes remove --source settlement --type 'Order|Refund' --component ItemFees --code 'Handling*' --yes",
    ],
  });
}
