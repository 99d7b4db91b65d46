/** Documents that try to take far more memory than their size: small ones that expand. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { spreadsheet } from '../test/spreadsheet.ts';

const sheet = 'xl/worksheets/sheet1.xml';
const texts = 'xl/sharedStrings.xml';
const relations = 'xl/_rels/workbook.xml.rels';
const longText = 'a'.repeat(32_000);
const cell = '<c><v>1</v></c>';
const sharedCell = '<c t="s"><v>0</v></c>';
const orderTitles = [
  ...['amazon-order-id', 'purchase-date', 'last-updated-date', 'order-status', 'sku', 'quantity'],
  ...['currency', 'item-price', 'item-tax'],
].join('\t');
const orderCells = '\t2025-03-01T23:30:00Z\t2025-03-03T10:00:00Z\tShipped\tA\t1\tUSD\t2\t0';
/** A row of an order of its own, whose id is as long as ids may be. */
const orderRow = (at: number) => `${String(at).padStart(200, 'x')}${orderCells}`;
const inRows = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

/** The documents, by what fills them, at a part of their full sizes. */
export function documentsFor(share: number): Readonly<Record<string, () => Buffer>> {
  const some = (text: string, count: number) => text.repeat(Math.ceil(count * share));
  const numbered = <T>(count: number, of: (at: number) => T) =>
    Array.from({ length: Math.ceil(count * share) }, (_, at) => of(at));
  return {
    cells: () => withParts({ [sheet]: inRows(some(`<row>${cell.repeat(9)}</row>`, 1_000_000)) }),
    'empty cells': () => withParts({ [sheet]: inRows(`<row>${some('<c/>', 50_000_000)}</row>`) }),
    'wide rows': () =>
      withParts({ [sheet]: inRows(some(`<row>${'<c/>'.repeat(16_383)}${cell}</row>`, 600)) }),
    formats: () =>
      withParts({
        'xl/styles.xml': `<styleSheet><cellXfs>${some('<xf numFmtId="14"/>', 5_000_000)}</cellXfs></styleSheet>`,
      }),
    'short texts': () =>
      withParts({ [texts]: `<sst>${some('<si><t>a</t></si>', 12_000_000)}</sst>` }),
    'long texts': () =>
      withParts({ [texts]: `<sst>${some(`<si><t>${longText}</t></si>`, 7_000)}</sst>` }),
    'wide texts': () =>
      withParts({ [texts]: `<sst>${some(`<si><t>${'漢'.repeat(10_000)}</t></si>`, 3_000)}</sst>` }),
    'cells that share long texts': () =>
      withParts({
        [texts]: `<sst>${some(`<si><t>${longText}</t></si>`, 900)}</sst>`,
        [sheet]: inRows(some(`<row>${sharedCell.repeat(30)}</row>`, 100_000)),
      }),
    'long cells': () =>
      withParts({
        [sheet]: inRows(
          some(`<row>${`<c t="inlineStr"><is><t>${longText}</t></is></c>`.repeat(20)}</row>`, 380),
        ),
      }),
    'different elements': () =>
      withParts({ [sheet]: `<worksheet>${numbered(10_000_000, (at) => `<a${at}/>`).join('')}` }),
    'elements in elements': () => withParts({ [sheet]: some('<a>', 80_000_000) }),
    files: () =>
      withParts(Object.fromEntries(numbered(40_000, (at) => [`xl/${at}.xml`, '<a/>'] as const))),
    columns: () =>
      gzipSync(
        `${numbered(150_000, (at) => `c${at}`).join('\t')}\n${some('1\t'.repeat(999), 30_000)}`,
      ),
    quotes: () => gzipSync(`order-id,sku\n${some('x","\n', 10_000_000)}`),
    'a line': () => gzipSync(`order-id,sku\n${some('x', 400_000_000)}`),
    orders: () => gzipSync([orderTitles, ...numbered(800_000, orderRow)].join('\n')),
    'JSON members': () => gzipSync(`{${numbered(2_000_000, (at) => `"k${at}":{}`).join()}}`),
    'JSON rows': () => gzipSync(`[${some('{"a":[1,2,3,4,5,6,7,8,9]},', 3_000_000)}1]`),
    'a JSON text': () => gzipSync(`{"a":"${some('x', 400_000_000)}"}`),
    'JSON numbers': () => gzipSync(`{"a":[1${some(',2', 40_000_000)}]}`),
  };
}

/** A spreadsheet with these parts in place of its own. */
function withParts(parts: Readonly<Record<string, string>>): Buffer {
  const files = Object.entries(unzipSync(spreadsheet([[['order-id']]])));
  const shared = '<Relationship Id="s" Type="x/sharedStrings" Target="sharedStrings.xml"/>';
  return zipped({
    ...Object.fromEntries(
      files.map(([name, bytes]) => [
        name,
        name === relations
          ? strFromU8(bytes).replace('</Relationships>', `${shared}</Relationships>`)
          : strFromU8(bytes),
      ]),
    ),
    ...parts,
  });
}

/** An archive. The library that makes others takes minutes for long texts that repeat themselves. */
function zipped(files: Readonly<Record<string, string>>): Buffer {
  const written: Buffer[] = [];
  const listed: Buffer[] = [];
  let start = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes);
    // The version, flags, method, time and date; then the sizes, as in both lists.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(start, 10);
    const head = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name)]);
    listed.push(Buffer.from('PK\u0001\u0002\u0014\0'), common, place, Buffer.from(name));
    written.push(head, packed);
    start += head.length + packed.length;
  }
  const list = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  for (const at of [8, 10]) end.writeUInt16LE(Object.keys(files).length, at);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...written, list, end]);
}
