/**
 * Tables of marketplaces are read as they are or refused: columns that are added, missing, moved
 * or named in another language, cells in other spellings, rows in another order, rows of other
 * stores and a second import never change a fact without a word.
 */
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import papaparse from 'papaparse';
import { fixture } from '../facts.ts';
import { american, german } from '../finances.ts';
import type { ChannelSettings } from '../harness.ts';
import { assertSameOrRefused, type Spelling } from '../spellings.ts';

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
  readonly channel?: Partial<ChannelSettings>;
  readonly query?: string;
  readonly lines?: number;
  readonly others?: Readonly<Record<string, string>>;
  /** The place of a row says what it is. */
  readonly isOrdered?: true;
  /** Titles without which texts are blank, and figures as they were. */
  readonly texts?: RegExp;
  /** Titles that older tables do not have, whose figures are then unknown. */
  readonly older?: RegExp;
};

const example = (name: string) =>
  readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
const indian = { merchantId: 'A1IN @ A21TJRUUN4KGV', currency: 'INR', timezone: 'Asia/Kolkata' };
const business = [
  'Date,Ordered Product Sales,Units Ordered,Total Order Items,Page Views - Total,Sessions - Total,Featured Offer Percentage',
  '"Mar 13, 2025","$1,234.50",61,60,4321,"3,210",97.50%',
  '"Mar 14, 2025","$98.00",4,4,321,210,98.00%',
].join('\n');

const kinds: readonly Kind[] = [
  {
    name: 'allOrders',
    text: example('all-orders.txt'),
    separator: '\t',
    others: { 'sales-channel': 'Amazon.ca' },
    texts: /^(?:ship-|is-|product-name|asin|sales-channel|fulfillment-channel)/,
  },
  {
    name: 'settlement',
    // A date counts without a time, too.
    text: example('settlement.txt').replace(/posted-date-time/, 'unknown-time'),
    separator: '\t',
    isOrdered: true,
  },
  { name: 'settlementV1', text: fixture('settlement.v1.txt'), separator: '\t', isOrdered: true },
  {
    name: 'inventoryPlanning',
    text: example('inventory-planning.txt'),
    separator: '\t',
    others: { marketplace: 'CA' },
    texts: /^(?:asin|product-name|storage-type)$/,
  },
  {
    name: 'unsuppressedInventory',
    text: fixture('inventory.unsuppressed.txt'),
    separator: '\t',
    texts: /^(?:asin|product-name)$/,
  },
  {
    name: 'openOrders',
    text: fixture('orders.console.csv'),
    separator: ',',
    channel: indian,
    query: '&zone=channel',
  },
  {
    name: 'campaigns',
    text: fixture('ads.consoleCampaigns.csv'),
    separator: ';',
    channel: german,
    query: '&from=2025-03-13&to=2025-03-13&decimal=comma',
    texts: /^Targeting$/,
  },
  {
    name: 'searchTerms',
    text: fixture('ads.searchTerms.csv').replace('\ufeff', ''),
    separator: ',',
    query: '&attribution=7',
    others: { Country: 'Canada' },
    older: /^Targeting$/,
  },
  { name: 'searchQueries', text: fixture('searchQuery.console.csv'), separator: ',', lines: 1 },
  {
    name: 'businessReport',
    text: business,
    separator: ',',
    older: /^(?:Total Order Items|Featured Offer Percentage)$/,
  },
];

/** The cells of a line as written, with the quotes of those that need them. */
function cellsOf(line: string, separator: string): string[] {
  if (separator === '\t') return line.split(separator);
  const [cells = []] = papaparse.parse(line, { delimiter: separator }).data;
  return cells.map((cell) => papaparse.unparse([[cell]], { delimiter: separator }));
}

function tableOf({ text, separator, lines = 0 }: Kind): Table {
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
    ...Object.entries(others ?? {}).map(
      ([title, value]): Change => [
        `rows of others by ${title}`,
        (table) => {
          const place = titles.indexOf(title);
          const rows = table.rows.map((cells) => cells.with(place, value));
          return text({ ...table, rows: [...rows, ...table.rows] });
        },
      ],
    ),
  ];
}

for (const kind of kinds)
  test(`${kind.name}: other spellings have the same facts or are refused`, async () => {
    const table = tableOf(kind);
    const spellings = changesOf(kind).map(
      ([name, change, isBlank = false]): Spelling => [name, change(table), isBlank],
    );
    await assertSameOrRefused(kind.text, spellings, kind.channel ?? american, kind.query);
  });
