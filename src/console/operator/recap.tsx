/** The result of an import: its counts, and the rows that were refused. */
import type { Answer } from '../client.ts';
import { Empty, Note } from '../parts/panel.tsx';
import { DataTable } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { count, inDay } from '../view/format.ts';
import { inFields } from './importOptions.ts';

type Counts = Pick<
  Answer<'readImport'>,
  | 'rowsRead'
  | 'rowsAccepted'
  | 'rowsMerged'
  | 'rowsRejected'
  | 'rowsSkipped'
  | 'otherStores'
  | 'encoding'
  | 'from'
  | 'to'
>;
type Rejection = Answer<'listImportRejections'>['rejected'][number];

/** The counts of an import, as the API answers them. */
export function Counts({ counts }: { readonly counts: Counts }) {
  const figures = [
    { name: 'Read', value: counts.rowsRead },
    { name: 'Accepted', value: counts.rowsAccepted },
    { name: 'Merged', value: counts.rowsMerged },
    { name: 'Refused', value: counts.rowsRejected },
    { name: 'Skipped', value: counts.rowsSkipped },
    ...(counts.otherStores > 0 ? [{ name: 'Of other stores', value: counts.otherStores }] : []),
  ];
  return (
    <dl class="recap">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={name === 'Refused' && value > 0 ? 'low' : undefined}>{count(value)}</dd>
        </div>
      ))}
      <div>
        <dt>Dates</dt>
        <dd>{datesOf(counts)}</dd>
      </div>
      {counts.encoding !== null && counts.encoding !== 'utf-8' && (
        <div>
          <dt>Encoding</dt>
          <dd>{counts.encoding}</dd>
        </div>
      )}
    </dl>
  );
}

/** The dates of an import, such as 1 Nov to 7 Nov. */
export function datesOf({ from, to }: Pick<Counts, 'from' | 'to'>): string {
  if (from === null || to === null) return '–';
  return from === to ? inDay(from) : `${inDay(from)} to ${inDay(to)}`;
}

type RefusedProps = {
  /** The document, for the name of the file. */
  readonly name: string;
  readonly rows: readonly Rejection[];
  /** The number of refused rows, including those that are not listed. */
  readonly total: number;
};

/** The refused rows by line, with their reasons. */
export function RefusedRows({ name, rows, total }: RefusedProps) {
  if (total === 0)
    return (
      <Empty icon="check" title="No row was refused">
        <p>Every row of this import was read.</p>
      </Empty>
    );
  return (
    <>
      {total > rows.length && (
        <Note tone="plain" icon="table">
          The first {count(rows.length)} of {count(total)} refused rows.
        </Note>
      )}
      <div class="refused-rows">
        <DataTable
          name={`Refused rows of ${name}`}
          rows={rows}
          keyOf={({ line }) => String(line)}
          columns={[
            { id: 'line', name: 'Line', isNumber: true, cell: ({ line }) => count(line) },
            {
              id: 'reason',
              name: 'Reason',
              cell: ({ reason }) => <p class="why">{inFields(reason)}</p>,
            },
          ]}
        />
      </div>
    </>
  );
}

/** The tools of refused rows: their CSV. */
export function RefusedTools({ name, rows }: Omit<RefusedProps, 'total'>) {
  return (
    <Toolbar
      name={`refused rows of ${name}`}
      rows={() => [['line', 'reason'], ...rows.map(({ line, reason }) => [line, reason])]}
    />
  );
}
