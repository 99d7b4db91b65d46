/** The codes that the service does not know: an owner says what each of them is. */

import { useState } from 'preact/hooks';
import type { Booking } from '../../contract/importable.ts';
import { isManager } from '../../contract/roles.ts';
import { useAccount } from '../account.tsx';
import { type Answer, ask } from '../client.ts';
import { Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { invalidateAnswers, useGathered } from '../queries.ts';
import { amount, count } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { counted } from '../words.ts';
import { storesMax } from './questions.ts';

type Code = Answer<'listUnknownCodes'>['codes'][number];
type Row = Code & { readonly store: Store };

/** The lines that a code may have; without one, its sign decides. */
const lineNames: Readonly<Record<'' | Booking, string>> = {
  '': 'Unknown: by its sign',
  sales: 'Sales',
  promotions: 'Promotions',
  refunds: 'Refunds',
  reimbursements: 'Reimbursements',
  otherIncome: 'Other income',
  advertisingSpend: 'Advertising',
  sellingFees: 'Selling fees',
  shippingFees: 'Shipping fees',
  refundsAndReturnsOverheads: 'Refund overheads',
  cogs: 'Cost of goods',
  otherExpenses: 'Other expenses',
  balance: 'Only moves money',
  'sales.tax': 'Tax on sales',
  'refunds.tax': 'Tax on refunds',
};

type CodesProps = {
  readonly view: View;
  readonly stores: readonly Store[];
  /** Called after a code has been named, when all figures may differ. */
  readonly onNamed: () => void;
};

/** The panel; nothing where all codes are known. */
export function UnknownCodes({ view, stores, onNamed }: CodesProps) {
  const { session } = useAccount();
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const { fromDate, toDate } = view.dates;
  const shown = stores.slice(0, storesMax);
  const ids = shown.map(({ channelId }) => channelId).join();
  const query = useGathered(`unknown codes ${ids} ${fromDate} ${toDate}`, async (ask) => ({
    rows: await Promise.all(
      shown.map(async (store): Promise<Row[]> => {
        const { channelId, merchantId } = store;
        const input = { channelId, merchantId, fromDate, toDate };
        return (await ask('listUnknownCodes', input)).codes.map((code) => ({ ...code, store }));
      }),
    ),
  }));
  const rows = query.value?.rows.flat() ?? [];
  if (rows.length === 0) return null;
  const name = async ({ store: { channelId, merchantId }, source, code }: Row, line: string) => {
    setSaving(true);
    try {
      await ask('saveCode', {
        channelId,
        merchantId,
        source,
        code,
        ...(line !== '' && { line: line as Booking }),
      });
      invalidateAnswers();
      onNamed();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setSaving(false);
    }
  };
  const open = rows.filter(({ line }) => line === null).length;
  return (
    <Panel title="Codes that Vitrine does not know" className="codes" isLoading={isSaving}>
      <div role="alert">{problem !== undefined && <p class="error">{problem}</p>}</div>
      <DataTable
        name="Codes that Vitrine does not know"
        rows={rows}
        keyOf={({ store, source, code, currency }) =>
          [store.channelId, source, code, currency].join('\n')
        }
        columns={columnsOf(stores.length > 1, isManager(session?.role) ? name : undefined)}
      />
      <footer>
        <span>
          {standingOf(open)} What you choose holds for all of your stores, and for what is there
          already.
        </span>
      </footer>
    </Panel>
  );
}

/** How many codes nobody has named. */
function standingOf(open: number): string {
  if (open === 0) return 'All of them have been named.';
  return `${counted(open, 'code')} ${open === 1 ? 'counts' : 'count'} by sign, as income or expense.`;
}

function columnsOf(
  hasStores: boolean,
  name: ((row: Row, line: string) => void) | undefined,
): readonly Column<Row>[] {
  return [
    { id: 'code', name: 'Code', isSortable: false, cell: ({ code }) => <code>{code}</code> },
    {
      id: 'store',
      name: 'Store',
      isSortable: false,
      isShown: hasStores,
      cell: ({ store }) => store.displayName,
    },
    {
      id: 'events',
      name: 'Events',
      isSortable: false,
      isNumber: true,
      cell: ({ rows }) => count(rows),
    },
    {
      id: 'amount',
      name: 'Amount',
      isSortable: false,
      isNumber: true,
      cell: (row) => amount(row.amount, row.currency),
    },
    {
      id: 'line',
      name: 'What it is',
      isSortable: false,
      cell: (row) =>
        name === undefined ? (
          lineNames[row.line ?? '']
        ) : (
          <select
            aria-label={`What ${row.code} is`}
            value={row.line ?? ''}
            onChange={({ currentTarget }) => name(row, currentTarget.value)}
          >
            {Object.entries(lineNames).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        ),
    },
  ];
}
