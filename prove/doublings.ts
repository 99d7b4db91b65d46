/**
 * Documents with one part that grows: a field, a row, the header, or a part of a spreadsheet.
 * Whenever it doubles, reading must take at most twice the processor time.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { readContent } from '../src/import/formats/content.ts';
import type { ReadingTask, Reply, Request } from '../src/import/messages.ts';
import { DocumentRefused } from '../src/import/refused.ts';
import { ImportSession } from '../src/import/session.ts';
import { spreadsheet } from '../test/spreadsheet.ts';

/** Something whose size can be chosen. */
export type Growing = { readonly name: string; readonly of: (size: number) => string | Buffer };

/** Texts on which expressions for dates, amounts, codes, names and lists may backtrack. */
export const fillers: readonly string[] = [
  ...' ([{")]}0aA.,;:-/=_*&<|\té漢\\',
  ...[
    'a ',
    '. ',
    '1,',
    '1.',
    '- ',
    ' (x',
    'A-',
    '","',
    'x","',
    '""',
    '00:',
    '\u00a0',
    '&a',
    '{"a":',
  ],
];
/** A quarter of the characters that a cell may have: four times as many are still read. */
const fieldCharacters = 8_000;
const rows = 750;
const columns = 750;
const partCharacters = 50_000;
/** Pieces of XML that make the parts of a spreadsheet grow. */
const elements = [
  ...['<row/>', '<c/>', '<c r="A1"/>', '<si/>', '<si><t>a</t></si>', '<xf/>', '<numFmt/>', '<a>'],
  ...[
    '<sheet/>',
    '<Relationship/>',
    '<!---->',
    '<![CDATA[]]>',
    '&amp;',
    ' ',
    '<',
    '>',
    '&',
    '<?a?>',
  ],
];

/** Every document of the fixtures with one of its parts growing. */
export function growingDocuments(): Growing[] {
  const folder = new URL('../test/fixtures/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /\.(txt|csv|tsv|json|jsonl)$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const grown = [...ofFields(text), ...(/json/.test(name) ? ofLists(text) : ofTable(text))];
      return grown.map((one) => ({ ...one, name: `${name}, ${one.name}` }));
    })
    .concat(ofSpreadsheet());
}

function ofFields(text: string): Growing[] {
  // Only the first rows are used: they have every field.
  const fields = [...text.slice(0, 6_000).matchAll(/[^\t,;\r\n"{}[\]:]{2,}/g)];
  return fields.flatMap(({ index, 0: field }) =>
    fillers.map((filler): Growing => {
      const isJson = /^\s*[[{]/.test(text);
      const escaped = isJson ? JSON.stringify(filler).slice(1, -1) : filler;
      const end = index + field.length;
      return {
        name: `${JSON.stringify(field)} at ${index} with ${JSON.stringify(filler)}`,
        of: (size) =>
          `${text.slice(0, end)}${escaped.repeat((size * fieldCharacters) / escaped.length)}y${text.slice(end)}`,
      };
    }),
  );
}

function ofTable(text: string): Growing[] {
  const lines = text.split(/\r?\n/);
  const [header = '', row = ''] = lines;
  const separator = header.includes('\t') ? '\t' : ',';
  const upTo = (count: number) => [...Array(count).keys()];
  return [
    {
      name: 'rows alike',
      of: (size) => [header, ...Array(size * rows).fill(row), ...lines.slice(2)].join('\n'),
    },
    {
      name: 'rows of other digits',
      of: (size) =>
        [
          header,
          ...upTo(size * rows).map((at) => row.replaceAll(/\d{4,}/g, () => `${1e6 + at}`)),
        ].join('\n'),
    },
    {
      name: 'columns of one name',
      of: (size) => [header + `${separator}x`.repeat(size * columns), ...lines.slice(1)].join('\n'),
    },
    {
      name: 'columns',
      of: (size) =>
        [header, ...upTo(size * columns).map((at) => `column ${at}`)].join(separator) +
        `\n${lines.slice(1).join('\n')}`,
    },
    ...['x",', '"', '""', 'x","'].map((start) => ({
      name: `rows of ${start}`,
      of: (size: number) => `${header}\n${`${start}${separator}"\n`.repeat(size * rows)}`,
    })),
  ];
}

/** Lists and objects of a JSON document with more entries. */
function ofLists(text: string): Growing[] {
  const places = [...text.slice(0, 6_000).matchAll(/[[{]/g)];
  return places.flatMap(({ index, 0: bracket }) => {
    const entries = (size: number) =>
      [...Array(size * rows).keys()].map((at) => (bracket === '[' ? '{"a":1},' : `"a${at}":1,`));
    return {
      name: `entries at ${index}`,
      of: (size: number) =>
        `${text.slice(0, index + 1)}${entries(size).join('')}${text.slice(index + 1)}`,
    };
  });
}

function ofSpreadsheet(): Growing[] {
  const files = unzipSync(
    spreadsheet([
      [
        ['order-id', 'sku'],
        ['1', 'A'],
      ],
    ]),
  );
  files['xl/sharedStrings.xml'] = strToU8('<sst><si><t>a</t></si></sst>');
  const relations = 'xl/_rels/workbook.xml.rels';
  const shared = '<Relationship Id="s" Type="x/sharedStrings" Target="sharedStrings.xml"/>';
  files[relations] = strToU8(
    strFromU8(files[relations]!).replace('</Relationships>', `${shared}</Relationships>`),
  );
  return Object.keys(files).flatMap((file) => {
    const text = strFromU8(files[file]!);
    const places = [...text.matchAll(/(?<=[^/?]>)|(?<=<\w+)(?=[ >])/g)];
    return places.flatMap(({ index }) =>
      [...elements, ' a="1"', ' a=""b'].map(
        (element): Growing => ({
          name: `${file} with ${element} at ${index}`,
          of: (size) => {
            const grown = element.repeat((size * partCharacters) / element.length);
            const changed = strToU8(text.slice(0, index) + grown + text.slice(index));
            return Buffer.from(zipSync({ ...files, [file]: changed }, { level: 0 }));
          },
        }),
      ),
    );
  });
}

/** Reads documents in this process, as the thread of an import does. */
export class LoneReader {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrine-doublings-'));
  #documents = 0;

  /** Reads a document to its end, or until it is refused. */
  async read(document: string | Buffer): Promise<void> {
    const task: ReadingTask = {
      content: { document: true },
      importId: ++this.#documents,
      stagingFolder: this.#folder,
      megabytesMax: 512,
      unpackedMegabytesMax: 512,
      secret: 'secret',
      sealBound: '',
      acceptsMultiDay: false,
      hasLocalTimes: false,
      timezone: 'UTC',
      currency: 'USD',
      replaces: false,
      account: 'seller',
      pricesIncludeTax: false,
      orderTables: [],
      plainBytesMin: Number.POSITIVE_INFINITY,
      financeCodes: { own: [], named: [] },
    };
    const request = async (message: Request) => answerTo(message);
    const session = new ImportSession(task, { send: () => undefined, request }, 1_000_000_000);
    try {
      await readContent(task, session, Readable.from([Buffer.from(document)]));
      session.refuseUnlessReadable();
      await session.flushAll();
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error;
    } finally {
      session.close();
    }
  }

  /** Removes what it has written. */
  close(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function answerTo(request: Request): Reply {
  if (request.type === 'staged') rmSync(request.path, { force: true });
  return { rows: [], orders: { orders: [], lines: [] } as never };
}

/**
 * Four times the time, and room for garbage collection and noise; quadratic growth takes 16 times.
 */
const sizes = [1, 4] as const;
const ratioMax = 7;
const millisecondsMin = 80;
const attempts = 3;

/** Describes how the time grows with the size if it grows too much; otherwise undefined. */
export async function growthOf(
  { name, of }: Growing,
  work: (made: string | Buffer) => Promise<void>,
): Promise<string | undefined> {
  const [small, large] = sizes.map((size) => of(size)) as [string | Buffer, string | Buffer];
  let [least, most] = [0, 0];
  for (let attempt = 0; attempt < attempts; attempt++) {
    least = await processorMilliseconds(() => work(small));
    most = await processorMilliseconds(() => work(large));
    if (most < millisecondsMin || most < ratioMax * least) return undefined;
  }
  return `${name}: ${Math.round(least)} ms, of four times the size ${Math.round(most)} ms`;
}

async function processorMilliseconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
