/** Tables and records as text for a terminal. */
import Table from 'cli-table3';

/** A column: the name of a field, or a field or function with settings. */
export type Column<Row> =
  | (keyof Row & string)
  | (Layout & { readonly field: keyof Row & string })
  | (Layout & Computed<Row>);

type Computed<Row> = { readonly heading: string; readonly show: (row: Row) => unknown };
type Layout = {
  /** The default is the name of the field in words. */
  readonly heading?: string;
  /** Text that may lose its end on a narrow terminal. */
  readonly canCut?: true;
  /** May be dropped on a narrow terminal. */
  readonly canDrop?: true;
};

/** The text of an empty cell. */
const emptyCell = '-';
/** Columns that may be cut keep this width as long as others can shrink. */
const cutWidthMin = 12;
const gap = '  ';
const plain = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };
const noBorders = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
  ]
    .concat(['right', 'right-mid'])
    .map((name) => [name, '']),
);

/** Rows under headings, no wider than the terminal. Numbers are right-aligned. */
export function tableOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width = terminalWidth(),
): string {
  const all = columns.map(resolved);
  const cells = rows.map((row) => all.map((column) => column.show(row)));
  const drawn = (of: readonly number[], widths?: number[]) =>
    draw(
      of.map((at) => all[at]!.heading),
      cells.map((row) => of.map((at) => textOf(row[at]))),
      of.map((at) => (cells.some((row) => typeof row[at] === 'number') ? 'right' : 'left')),
      widths,
    );
  const whole = drawn([...all.keys()]);
  if (sum(whole.widths) <= width) return whole.text;
  let shown = [...all.keys()];
  const widths = () => shown.map((at) => whole.widths[at]!);
  for (let last = 0; sum(widths()) > width; shown = shown.filter((at) => at !== last)) {
    last = shown.findLast((at) => all[at]!.canDrop) ?? -1;
    if (last < 0) break;
  }
  const fitting = narrowed(
    widths(),
    shown.map((at) => all[at]!),
    width,
  );
  return drawn(shown, fitting).text;
}

/** Names and values, one per line, uncut. */
export function recordOf(record: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(record).flatMap(([name, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([inner, one]) => [wordsOf(inner), shown(inner, one)])
      : [[wordsOf(name), shown(name, value)]],
  );
  return draw(
    [],
    lines.map(([name, value]) => [String(name), textOf(value)]),
    ['left', 'left'],
  ).text;
}

/** Epoch seconds as local time, to the minute. */
export function timeOf(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A count with thousands separators. */
export function countOf(value: number): string {
  return value.toLocaleString('en-GB');
}

function resolved<Row>(column: Column<Row>): Layout & Computed<Row> {
  if (typeof column === 'string') return resolved({ field: column });
  if ('show' in column) return column;
  const { field, ...how } = column;
  return { heading: wordsOf(field), ...how, show: (row) => shown(field, row[field]) };
}

function draw(
  head: string[],
  rows: string[][],
  colAligns: ('left' | 'right')[],
  colWidths: number[] = [],
) {
  // The library cuts at these widths and stores what it measured in them; they include the gap.
  const table = new Table({
    head,
    colAligns,
    colWidths: [...colWidths],
    chars: { ...noBorders, middle: gap },
    style: { ...plain },
  });
  table.push(...rows);
  const text = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd().toWellFormed())
    .join('\n');
  return { text, widths: table.options.colWidths.map((width) => width ?? 0) };
}

/** Widths that fit: texts that may be cut shrink first, then the widest columns. */
function narrowed(natural: readonly number[], columns: readonly Layout[], width: number): number[] {
  const widths = [...natural];
  const shrink = (canShrink: (at: number) => boolean) => {
    while (sum(widths) > width) {
      const widest = widths.reduce(
        (best, _, at) => (canShrink(at) && (best < 0 || widths[at]! > widths[best]!) ? at : best),
        -1,
      );
      if (widest < 0) return;
      widths[widest]! -= 1;
    }
  };
  shrink((at) => columns[at]!.canCut === true && widths[at]! > cutWidthMin);
  shrink((at) => widths[at]! > 1);
  return widths;
}

function sum(widths: readonly number[]): number {
  return (
    widths.reduce((total, width) => total + width, 0) + gap.length * Math.max(0, widths.length - 1)
  );
}

function terminalWidth(): number {
  return process.stdout.columns ?? (Number(process.env.COLUMNS) || Number.POSITIVE_INFINITY);
}

function shown(name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (/^at$|At$/.test(name)) return timeOf(value);
  return name.endsWith('Id') ? String(value) : value;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return emptyCell;
  if (typeof value === 'number') return Number.isInteger(value) ? countOf(value) : String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (isRecord(value)) return printable(JSON.stringify(value));
  return printable(String(value));
}

/** Removes control characters, so that text from files cannot control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

function wordsOf(name: string): string {
  return name.replace(/(?<=.)At$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
