/**
 * Tables of marketplaces are read as they are or refused: columns that are added, missing, moved
 * or named in another language, cells in other spellings, rows in another order, rows of other
 * stores and a second import never change a fact without a word.
 */
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import papaparse from 'papaparse';
import { american, german } from '../finances.ts';
import type { ChannelSettings } from '../harness.ts';
import { sampled } from '../level.ts';
import { assertSameOrRefused, type Spelling } from '../spellings.ts';
import { barredRowsOf, textBeside } from '../table.ts';

/** A table: the lines before its titles, its titles, and its rows. */
type Table = {
  readonly before: readonly string[];
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/** A kind of table: an example, whose import needs `query`, and columns that name the store. */
type Kind = {
  readonly name: string;
  readonly text: string;
  readonly separator: string;
  readonly channel: Partial<ChannelSettings> | undefined;
  readonly query: string | undefined;
  readonly lines: number;
  readonly others: readonly string[] | undefined;
  /** The place of a row says what it is. */
  readonly isOrdered: boolean;
  /** Titles without which texts are blank, and figures as they were. */
  readonly texts: RegExp | undefined;
  /** Titles that older tables do not have, whose figures are then unknown. */
  readonly older: RegExp | undefined;
};

const indian = { merchantId: 'A1IN @ A21TJRUUN4KGV', currency: 'INR', timezone: 'Asia/Kolkata' };
const channels: Readonly<Record<string, Partial<ChannelSettings>>> = { german, indian };

// A date of a settlement counts without a time, too.
const kinds = barredRowsOf(textBeside(import.meta.url, 'tables.txt')).map((row): Kind => {
  const { name = '', file, separator = '', channel = '', query, lines = 0 } = row;
  const patternOf = (source?: string) => (source === undefined ? undefined : new RegExp(source));
  return {
    text: readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
      .replace('\ufeff', '')
      .replace(/posted-date-time/, 'unknown-time'),
    separator: separator === 'tab' ? '\t' : separator,
    name,
    query,
    channel: channels[channel],
    lines: Number(lines),
    others: row.others?.split('='),
    isOrdered: row.isOrdered === 'true',
    texts: patternOf(row.texts),
    older: patternOf(row.older),
  };
});

/** The cells of a line as written, with the quotes of those that need them. */
function cellsOf(line: string, separator: string): string[] {
  if (separator === '\t') return line.split(separator);
  const [cells = []] = papaparse.parse(line, { delimiter: separator }).data;
  return cells.map((cell) => papaparse.unparse([[cell]], { delimiter: separator }));
}

function tableOf({ text, separator, lines }: Kind): Table {
  const all = text.split(/\r?\n/).filter((line) => line !== '');
  // Quotes of flat files are ordinary characters; quotes of other tables stay around their cells.
  const cells = all.slice(lines).map((line) => cellsOf(line, separator));
  const [titles = [], ...rows] = cells;
  return { before: all.slice(0, lines), titles, rows };
}

const textOf = ({ before, titles, rows }: Table, separator: string, end = '\n') =>
  [...before, ...[titles, ...rows].map((cells) => cells.join(separator)), ''].join(end);

/** Another spelling of a table, with a name, and whether texts may be blank. */
type Change = readonly [name: string, change: (table: Table) => string, isBlank?: boolean];

function changesOf(kind: Kind): Change[] {
  const { separator, others, isOrdered, texts, older } = kind;
  const isText = (title: string) => texts?.test(title) ?? false;
  const { titles } = tableOf(kind);
  const text = (table: Table) => textOf(table, separator);
  const withColumns = (table: Table, columns: (cells: readonly string[]) => readonly string[]) =>
    text({ ...table, titles: columns(table.titles), rows: table.rows.map(columns) });
  const quoted = (cell: string) => (cell.startsWith('"') ? cell : `"${cell}"`);
  const spelled = (table: Table, spell: (number: string) => string) =>
    text({
      ...table,
      rows: table.rows.map((cells) =>
        cells.map((cell) => (/^-?\d+\.\d+$/.test(cell) ? spell(cell) : cell)),
      ),
    });
  return [
    ...titles.flatMap((title, place): Change[] =>
      older?.test(title)
        ? []
        : [
            [
              `without ${title}`,
              (table) => withColumns(table, (cells) => cells.toSpliced(place, 1)),
              isText(title),
            ],
            [
              `${title} in another language`,
              (table) => text({ ...table, titles: titles.with(place, 'Überschrift') }),
              isText(title),
            ],
          ],
    ),
    ...[0, Math.floor(titles.length / 2), titles.length].map(
      (place): Change => [
        `a new column at ${place}`,
        (table) => {
          const grown = table.rows.map((cells) => cells.toSpliced(place, 0, '17'));
          return text({ ...table, titles: titles.toSpliced(place, 0, 'new-column'), rows: grown });
        },
      ],
    ),
    ['columns in another order', (table) => withColumns(table, (cells) => cells.toReversed())],
    [
      'cells with spaces',
      (table) =>
        withColumns(table, (cells) =>
          cells.map((cell) => (cell.startsWith('"') ? cell : ` ${cell} `)),
        ),
    ],
    ['quoted cells', (table) => withColumns(table, (cells) => cells.map(quoted))],
    ['line ends of Windows and a mark', (table) => `\ufeff${textOf(table, separator, '\r\n')}`],
    ['numbers with commas', (table) => spelled(table, (number) => number.replace('.', ','))],
    [
      'numbers with spaces',
      (table) => spelled(table, (number) => number.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f')),
    ],
    [
      'no empty cells at the end',
      (table) =>
        text({
          ...table,
          rows: table.rows.map((cells) =>
            cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1),
          ),
        }),
    ],
    ...(isOrdered
      ? []
      : [
          [
            'rows in another order',
            (table: Table) => text({ ...table, rows: table.rows.toReversed() }),
          ] as Change,
        ]),
    ...(others === undefined
      ? []
      : [
          [
            `rows of others by ${others[0]}`,
            (table: Table) => {
              const place = titles.indexOf(others[0]!);
              const rows = table.rows.map((cells) => cells.with(place, others[1]!));
              return text({ ...table, rows: [...rows, ...table.rows] });
            },
          ] as Change,
        ]),
  ];
}

for (const [place, kind] of kinds.entries())
  test(`${kind.name}: other spellings have the same facts or are refused`, async () => {
    const table = tableOf(kind);
    const spellings = sampled(changesOf(kind), 3, place).map(
      ([name, change, isBlank = false]): Spelling => [name, change(table), isBlank],
    );
    await assertSameOrRefused(kind.text, spellings, kind.channel ?? american, kind.query);
  });
