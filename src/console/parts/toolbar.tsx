/** The tools of a chart or a table: its table, its CSV and its request. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { textCell } from '../../contract/spreadsheets.ts';
import { type ApiRequest, askCsv } from '../client.ts';
import { copied, useSaid } from '../copying.tsx';
import { curlOf } from '../files.ts';
import type { Query } from '../queries.ts';
import { Icon, type IconName } from './icons.tsx';

/** Rows of a chart or a table, for CSV: the head first. */
export type Rows = readonly (readonly (string | number | undefined)[])[];

type ToolbarProps = {
  /** The name of the figures, such as "Sales by day". */
  readonly name: string;
  /** The source of these figures: one request, or several with `rows`. */
  readonly request?: ApiRequest | readonly ApiRequest[] | undefined;
  /** All rows, also those that are not shown; without them the CSV is that of the request. */
  readonly rows?: () => Rows | Promise<Rows>;
  /** Whether the table is shown, with what changes it. */
  readonly table?: { readonly isShown: boolean; readonly toggle: () => void };
};

/** The tools of a chart or a table. */
export function Toolbar({ name, request, rows, table }: ToolbarProps) {
  const [said, say] = useSaid();
  const [isBusy, setBusy] = useState(false);
  const requests = [request ?? []].flat() as readonly ApiRequest[];
  async function download(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      save(
        `${fileNameOf(name)}.csv`,
        rows === undefined ? await askCsv(requests[0]!) : csvOf(await rows()),
      );
      say('Downloaded');
    } catch (error) {
      say((error as Error).message);
    } finally {
      setBusy(false);
    }
  }
  return (
    <div class="toolbar">
      <span role="status" class="said">
        {said}
      </span>
      {table && (
        <Tool
          icon={table.isShown ? 'chart' : 'table'}
          name={table.isShown ? 'Show as a chart' : 'Show as a table'}
          of={name}
          onClick={table.toggle}
        />
      )}
      {(rows !== undefined || requests.length > 0) && (
        <Tool icon="download" name="Download CSV" of={name} onClick={download} />
      )}
      {requests.length > 0 && (
        <Tool
          icon="terminal"
          name="Copy as curl"
          of={name}
          onClick={async () =>
            say((await copied(requests.map(curlOf).join('\n\n'))) ? 'Copied' : 'Not allowed here')
          }
        />
      )}
    </div>
  );
}

type ToolProps = {
  readonly icon: IconName;
  readonly name: string;
  readonly of: string;
  readonly onClick: () => void;
};

function Tool({ icon, name, of, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="icon-button"
      title={name}
      aria-label={`${name}: ${of}`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

const fileNameOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Rows as CSV by RFC 4180. Texts that a spreadsheet would take for a formula begin with '. */
export function csvOf(rows: Rows): string {
  return `${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return textCell(value);
}

function save(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

/** Loads again and announces when it is done. */
export function RefreshButton({
  query: { isLoading, problem, retry },
  name,
}: {
  readonly query: Query<unknown>;
  readonly name: string;
}) {
  const [said, say] = useSaid();
  const isPressed = useRef(false);
  useEffect(() => {
    if (isLoading || !isPressed.current) return;
    isPressed.current = false;
    if (problem === undefined) say('Up to date');
  });
  return (
    <span class="copy">
      <button
        type="button"
        class="icon-button"
        aria-label={`Refresh ${name}`}
        title="Refresh"
        onClick={() => {
          isPressed.current = true;
          retry();
        }}
      >
        <Icon name="refresh" />
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </span>
  );
}
