/** Documents that try to cost more than their size are refused; others are imported after them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { documentsFor } from '../prove/hostileSizes.ts';
import { memoryOfTwo } from '../prove/memory.ts';
import { measureDocuments } from '../prove/patterns.ts';
import { type Answer, onOnePair } from './harness.ts';
import { level, slowTest } from './level.ts';
import { spreadsheet } from './spreadsheet.ts';

const settlement = readFileSync(new URL('./fixtures/settlement.v1.txt', import.meta.url), 'utf8');
const ofSettlement = spreadsheet([settlement.split('\n').map((line) => line.split('\t'))]);

/** A spreadsheet whose only sheet has these rows. */
function withSheet(rows: string): Buffer {
  const files = unzipSync(spreadsheet([[['order-id']]]));
  files['xl/worksheets/sheet1.xml'] = strToU8(
    `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
  );
  return Buffer.from(zipSync(files));
}

const withCell = (row: string, cell: string) =>
  withSheet(`<row r="${row}"><c r="${cell}" t="inlineStr"><is><t>x</t></is></c></row>`);

slowTest('a document whose part grows takes no more time than in proportion to it', async () => {
  const parts = level === 'deep' ? 150 : 40;
  const [count, failures] = await measureDocuments(parts, 7);
  assert.deepEqual([count >= parts, failures], [true, []]);
});

slowTest('two hostile spreadsheets that are read at once take at most 450 MiB more', async () => {
  const { formats, 'cells that share long texts': shared } = documentsFor(0.3);
  const mebibytes = await memoryOfTwo([formats!(), shared!()]);
  assert.ok(mebibytes > 0 && mebibytes <= 450, `${mebibytes} MiB`);
});

onOnePair(
  'documents that want to cost more than they weigh',
  (world) => {
    const send = async (body: Buffer, channel?: string): Promise<Answer> => {
      const channelId = channel ?? (await world().tenant()).channelId;
      const { statusCode, body: text } = await world().server.inject({
        method: 'POST',
        url: `/operator/documents?channelId=${channelId}`,
        headers: {
          authorization: `Bearer ${world().operatorToken}`,
          'content-type': 'application/octet-stream',
        },
        payload: body,
      });
      return { status: statusCode, body: JSON.parse(text), headers: {} };
    };
    const refusal = async (body: Buffer, channelId?: string): Promise<[number, string]> => {
      const { status, body: answer } = await send(body, channelId);
      return [status, answer.error.replace(/ \(import \d+\)$/, '')];
    };

    test('400: a spreadsheet with a cell that is further away than any sheet is long', async () => {
      const far = 'the XLSX has cells too far from the others: delete them, or save it as CSV';
      assert.deepEqual(await refusal(withCell('1048576', 'XFD1048576')), [400, far]);
      for (const sheet of [
        "<row r='4000000000'><c r='ZZZZZZ4000000000'><v>1</v></c></row>",
        '<row r="&#52;000000000"><c r="&#90;ZZZZZ4000000000"><v>1</v></c></row>',
        '<row a=">" r="4000000000"><c a=">" r="ZZZZZZ4000000000"><v>1</v></c></row>',
        "<x:row r='1'><x:c y:r='XFE1'><x:v>1</x:v></x:c></x:row>",
        '<row r="1e9"><c r="A1e9"><v>1</v></c></row>',
      ])
        assert.deepEqual(await refusal(withSheet(sheet)), [400, far], sheet.slice(0, 80));
    });

    test('400: a spreadsheet that lists one sheet many times', async () => {
      const damaged =
        'the XLSX is damaged or not a spreadsheet: open it and save it again, or save it as CSV';
      assert.deepEqual(await refusal(withSheet('<c '.repeat(100_000))), [400, damaged]);
      const settled = unzipSync(ofSettlement);
      for (const [file, entry, again] of [
        ['xl/workbook.xml', /<sheet .*?\/>/, '<sheet name="2" sheetId="2" r:id="&#114;Id1"/>'],
        [
          'xl/_rels/workbook.xml.rels',
          /<Relationship Id="rId1".*?\/>/,
          `<Relationship Id="2" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target='worksheets/sheet1.xml'/>`,
        ],
      ] as const) {
        const text = strFromU8(settled[file]!).replace(entry, (first) => first + again);
        const twice = zipSync({ ...settled, [file]: strToU8(text) });
        assert.deepEqual(await refusal(Buffer.from(twice)), [400, damaged], file);
      }
    });

    test('200: bytes behind a spreadsheet delay nobody', async () => {
      for (const tail of [[0], [65, 66], Array.from({ length: 40 }, () => 255)]) {
        const { status, body } = await send(Buffer.concat([ofSettlement, Buffer.from(tail)]));
        assert.deepEqual([status, body.rowsAccepted], [200, 28], JSON.stringify(body));
      }
    });

    test('400: an archive that is packed by a method that nobody reads here', async () => {
      const unread =
        'the zip archive is damaged, or packed by a method other than Deflate: unpack the document';
      const archive = Buffer.from(zipSync({ 'a.csv': strToU8('order-id,sku') }));
      archive.writeUInt16LE(12, 8);
      assert.deepEqual(await refusal(archive), [400, unread]);
      assert.deepEqual(await refusal(Buffer.concat([strToU8('PK\u0003\u0004'), archive])), [
        400,
        unread,
      ]);
    });

    test('400: a packed document of nothing but brackets', async () => {
      const deep = 'the JSON document is nested more than 100 levels deep: no known document is';
      assert.deepEqual(await refusal(gzipSync('['.repeat(20_000_000))), [400, deep]);
      assert.deepEqual(await refusal(gzipSync('{"a":'.repeat(200))), [400, deep]);
      const brackets = JSON.stringify([{ text: '["\\{'.repeat(500) }]);
      const [status, text] = await refusal(Buffer.from(brackets));
      assert.equal(status, 400);
      assert.match(text, /^unrecognised document/);
    });

    test('413: a document that takes too much memory, after which others are imported', async () => {
      const members = Array.from({ length: 400_000 }, (_, number) => `"row ${number}":{}`);
      assert.deepEqual(await refusal(gzipSync(`{${members.join()}}`)), [
        413,
        'the document takes more than the 48 MB of memory that one may: split it by dates',
      ]);
      assert.equal((await send(ofSettlement)).status, 200);
    });

    test('413: a small document that unpacks without end', async () => {
      const refused = [413, 'the document is too large: unpacked it takes more than 8 MB'];
      const endless = Buffer.concat([Buffer.from(settlement), Buffer.alloc(9 * 2 ** 20, '\n')]);
      assert.deepEqual(await refusal(gzipSync(endless)), refused);
      assert.deepEqual(await refusal(Buffer.from(zipSync({ 'a.csv': endless }))), refused);
    });

    test('400: a document with which the thread that reads it fails or ends', async (t) => {
      const refused = 'reading the document failed: the log of the service says where';
      const post = Worker.prototype.postMessage;
      const failures: ((thread: Worker) => unknown)[] = [
        (thread) => thread.emit('error', new TypeError('Jane Doe is not a function')),
        (thread) => thread.terminate(),
      ];
      for (const fail of failures) {
        const { channelId } = await world().tenant();
        t.mock.method(
          Worker.prototype,
          'postMessage',
          function (this: Worker, ...message: [object]) {
            t.mock.restoreAll();
            post.apply(this, message);
            setImmediate(() => fail(this));
          },
        );
        assert.deepEqual(await refusal(ofSettlement, channelId), [400, refused]);
        const path = `/operator/imports?channelId=${channelId}`;
        const { imports } = await world().operate('GET', path);
        assert.deepEqual([imports[0].state, imports[0].error], ['failed', refused]);
        assert.equal((await send(ofSettlement, channelId)).status, 200);
      }
      const logged = world().logLines.filter((line) => line.includes('the thread that reads'));
      assert.equal(logged.length, failures.length);
      assert.ok(logged[0]!.includes('TypeError') && !logged[0]!.includes('Jane'), logged[0]);
    });
  },
  { limits: { importMegabytes: 48, spoolMegabytes: 8 } },
);
