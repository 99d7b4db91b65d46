/** Settlements, and other delimited documents, as tests write them. */
import assert from 'node:assert/strict';
import { fixture } from './facts.ts';

/** Cells by the names of their columns; those that are not named are empty. */
export type Cells = Readonly<Record<string, string>>;

const columnsOf = (text: string) => text.slice(0, text.indexOf('\n')).split('\t');
/** The columns of a settlement of version 2. */
export const v2 = columnsOf(fixture('settlement.v2.txt'));
/** The columns of the older layout of settlements. */
export const v1 = columnsOf(fixture('settlement.v1.txt'));

/** A delimited text with these columns and rows. */
export function tableOf(columns: readonly string[], rows: readonly Cells[], delimiter = '\t') {
  const lines = rows.map((cells) => {
    for (const name of Object.keys(cells)) assert.ok(columns.includes(name), name);
    return columns.map((name) => cells[name] ?? '').join(delimiter);
  });
  return `${[columns.join(delimiter), ...lines].join('\n')}\n`;
}

/** The same with every cell in quotes. */
export function quotedTableOf(
  columns: readonly string[],
  rows: readonly Cells[],
  delimiter: string,
): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const cellsOf = (cells: Cells) =>
    Object.entries(cells).map(([name, text]) => [quoted(name), quoted(text)]);
  return tableOf(
    columns.map(quoted),
    rows.map((cells) => Object.fromEntries(cellsOf(cells))),
    delimiter,
  );
}

/** The first row of settlement 501. */
export function opening(total: string, more: Cells = {}): Cells {
  return {
    'settlement-id': '501',
    'settlement-start-date': '2025-03-03 00:00:00 UTC',
    'settlement-end-date': '2025-03-17 00:00:00 UTC',
    'total-amount': total,
    currency: 'USD',
    ...more,
  };
}

/** A row of version 2; `names` are its type, its amount's type and its description. */
export function row(names: string, amount: string, more: Cells = {}): Cells {
  const [type, component, code] = names.split('|') as [string, string, string];
  return {
    'settlement-id': '501',
    'transaction-type': type,
    'amount-type': component,
    'amount-description': code,
    amount,
    'posted-date-time': '2025-03-05 10:00:00 UTC',
    ...more,
  };
}

/** A row of version 2 with the price of a sale. */
export function principal(amount: string, more: Cells = {}): Cells {
  return row('Order|ItemPrice|Principal', amount, more);
}

/** A row of version 2 with a commission. */
export function commission(amount: string, more: Cells = {}): Cells {
  return row('Order|ItemFees|Commission', amount, more);
}

/** A settlement of version 2 with these rows after its first. */
export function settlementOf(total: string, ...rows: readonly Cells[]): string {
  return tableOf(v2, [opening(total), ...rows]);
}
