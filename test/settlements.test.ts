import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  type Answer,
  onEachPair,
  onOnePair,
  openWorld,
  type Tenant,
  testOnOnePair,
  type World,
} from './harness.ts';
import { held, importDocument, postImport, reasons, refused, taken } from './imports.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const at = (iso: string) => Date.parse(iso) / 1000;

type Cells = Readonly<Record<string, string>>;

const columnsOf = (text: string) => text.slice(0, text.indexOf('\n')).split('\t');
const v2 = columnsOf(fixture('settlement.v2.txt'));
const v1 = columnsOf(fixture('settlement.v1.txt'));

function tableOf(columns: readonly string[], rows: readonly Cells[], delimiter = '\t'): string {
  const lines = rows.map((cells) => {
    for (const name of Object.keys(cells)) assert.ok(columns.includes(name), name);
    return columns.map((name) => cells[name] ?? '').join(delimiter);
  });
  return `${[columns.join(delimiter), ...lines].join('\n')}\n`;
}

const opening = (total: string, more: Cells = {}): Cells => ({
  'settlement-id': '501',
  'settlement-start-date': '2025-03-03 00:00:00 UTC',
  'settlement-end-date': '2025-03-17 00:00:00 UTC',
  'total-amount': total,
  currency: 'USD',
  ...more,
});

/** A row of version 2; `names` are its type, its amount's type and its description. */
const row = (names: string, amount: string, more: Cells = {}): Cells => {
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
};
const principal = (amount: string, more: Cells = {}) =>
  row('Order|ItemPrice|Principal', amount, more);
const commission = (amount: string, more: Cells = {}) =>
  row('Order|ItemFees|Commission', amount, more);

/** The one sum of an import that was taken, without zeros behind. */
function sumOf({ status, body }: Answer) {
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.finance.sums.length, 1);
  const plain = (text: string) => Number(text);
  const { currency, lines, tax, balance, leftOut, total, documentTotal } = body.finance.sums[0];
  return {
    currency,
    lines: Object.fromEntries(
      Object.entries(lines as Cells).map(([line, text]) => [line, plain(text)]),
    ),
    tax: [plain(tax.sales), plain(tax.refunds)],
    balance: plain(balance),
    leftOut: plain(leftOut),
    total: plain(total),
    documentTotal: documentTotal === null ? null : plain(documentTotal),
  };
}

const events = (
  world: World,
  tenant: Tenant,
  columns = 'source, posted_at, line, code, amount, tax, quantity',
) => held(world, tenant, 'finance_event', columns);

/** The sum of every line of the fixtures, added up by hand. */
const fixtureSum = {
  currency: 'USD',
  lines: {
    sales: 474.49, // 129.99 + 89 + 45.50 + 210
    otherIncome: 7.99, // shipping that the buyer paid
    sellingFees: -111.17, // -19.50 - 13.35 - 6.83 - 31.50 of the items, -39.99 for the account
    shippingFees: -15.24, // -4.75 - 7.99 - 2.50
    refunds: -129.99,
    refundsAndReturnsOverheads: 14.5, // 19.50 given back - 5
    reimbursements: 18.75,
    otherExpenses: -76.88, // -64.28 - 12.60
  },
  tax: [0, 0], // 10.40 - 10.40 that the marketplace withheld
  balance: 400.44, // 820.44 - 420
  leftOut: 0,
  total: 582.89,
  documentTotal: 582.89,
};

onEachPair('Settlements', (world, pair) => {
  const reads = testOnOnePair(pair);
  reads('columns without cells may be missing from both layouts', async () => {
    for (const [name, kind, rows] of [
      ['settlement.v2.txt', 'settlement', 24],
      ['settlement.v1.txt', 'settlementV1', 28],
    ] as const) {
      const tenant = await world().tenant();
      const records = fixture(name)
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => line.split('\t'));
      const isFilled = records[0]!.map((_, at) => records.slice(1).some((cells) => cells[at]));
      const blank = records[0]!.filter((_, at) => !isFilled[at]);
      assert.ok(blank.includes('promotion-id'));
      if (kind === 'settlementV1') assert.ok(blank.includes('promotion-amount'));
      const shorter = records.map((cells) => cells.filter((_, at) => isFilled[at]).join('\t'));
      const answer = await importDocument(world(), tenant.channelId, `${shorter.join('\n')}\n`);
      taken(answer, kind, rows);
      assert.deepEqual(sumOf(answer), fixtureSum);
    }
  });

  reads('a settlement of another currency or marketplace is refused', async () => {
    const tenant = await world().tenant();
    const take = (document: string) => importDocument(world(), tenant.channelId, document);
    const rows = (more: Cells, currency = 'USD') =>
      tableOf(v2, [opening('10', { currency }), principal('10', more)]);
    refused(
      await take(rows({}, 'CAD')),
      /^settlement 501 is in CAD, but the channel's currency is USD: import it into the channel of its marketplace/,
    );
    refused(
      await take(rows({ 'marketplace-name': 'Amazon.ca' })),
      /^line 3 belongs to marketplace Amazon.ca \(A2EUQ1WTGCTBG2\), but the channel belongs to ATVPDKIKX0DER/,
    );
    assert.deepEqual(await events(world(), tenant), []);
    // Orders that the marketplace only ships name no marketplace of their own.
    taken(await take(rows({ 'marketplace-name': 'Non-Amazon US' })), 'settlement', 2);
  });

  reads(
    'version 2 adds up to its total, each amount on its line and each sale with its units',
    async () => {
      const tenant = await world().tenant();
      const answer = await importDocument(
        world(),
        tenant.channelId,
        gzipSync(fixture('settlement.v2.txt')),
      );
      taken(answer, 'settlement', 24);
      assert.deepEqual(sumOf(answer), fixtureSum);
      assert.deepEqual(answer.body.finance.unknownCodes, []);
      assert.deepEqual([answer.body.from, answer.body.to], ['2025-03-01', '2025-03-17']);
      const facts = await events(
        world(),
        tenant,
        'posted_at, order_id, sku, line, quantity, fulfillment, amount, tax, code',
      );
      assert.equal(facts.length, 23);
      assert.deepEqual(
        facts.filter((fact) => fact[4] !== 0),
        [
          [
            at('2025-03-01T09:31:55Z'),
            '701-0000004-1000004',
            'HB-1200',
            'sales',
            1,
            'AFN',
            210_000_000n,
            0n,
            'Order/ItemPrice/Principal',
          ],
          [
            at('2025-03-04T08:14:22Z'),
            '701-0000001-1000001',
            'HB-1200',
            'sales',
            1,
            'AFN',
            129_990_000n,
            0n,
            'Order/ItemPrice/Principal',
          ],
          [
            at('2025-03-06T15:02:10Z'),
            '701-0000002-1000002',
            'AC-0071',
            'sales',
            1,
            'AFN',
            45_500_000n,
            0n,
            'Order/ItemPrice/Principal',
          ],
          [
            at('2025-03-06T15:02:10Z'),
            '701-0000002-1000002',
            'CB-0450',
            'sales',
            2,
            'AFN',
            89_000_000n,
            0n,
            'Order/ItemPrice/Principal',
          ],
          [
            at('2025-03-09T11:47:03Z'),
            '701-0000003-1000003',
            'HB-1200',
            'refunds',
            1,
            'AFN',
            -129_990_000n,
            0n,
            'Refund/ItemPrice/Principal',
          ],
        ],
      );
      assert.deepEqual(
        facts.filter((fact) => fact[7] !== 0n).map((fact) => [fact[3], fact[6], fact[7], fact[8]]),
        [
          ['sales', 0n, -10_400_000n, 'Order/ItemFees/MarketplaceFacilitatorVAT-Principal'],
          ['sales', 0n, 10_400_000n, 'Order/ItemPrice/Tax'],
        ],
      );
      assert.deepEqual(
        await held(world(), tenant, 'finance_claim', 'superseded, source, from_at, to_at'),
        [
          ...['economics', 'financialEvents', 'reimbursements', 'returns', 'transactions'].map(
            (superseded) => [
              superseded,
              'settlement',
              at('2025-03-03T00:00:00Z'),
              at('2025-03-17T23:59:59Z'),
            ],
          ),
        ],
      );
    },
  );

  reads(
    'the older layout gives the same sums, and either layout of a settlement replaces the other',
    async () => {
      const tenant = await world().tenant();
      const figures = 'posted_at, line, amount, tax';
      const sold = async () =>
        (await events(world(), tenant, 'sku, posted_at, line, quantity')).filter(
          (fact) => fact[2] === 'sales' && fact[3] !== 0,
        );
      taken(
        await importDocument(world(), tenant.channelId, fixture('settlement.v2.txt')),
        'settlement',
        24,
      );
      const before = await events(world(), tenant, figures);
      const unitsBefore = await sold();
      const older = await importDocument(world(), tenant.channelId, fixture('settlement.v1.txt'));
      taken(older, 'settlementV1', 28);
      assert.deepEqual(sumOf(older), fixtureSum);
      assert.deepEqual(older.body.finance.unknownCodes, []);
      const after = await events(world(), tenant, figures);
      // In addition to its amounts it has four rows with quantities only.
      assert.equal(after.length, 27);
      assert.deepEqual(
        after.filter(([, , amount, tax]) => amount !== 0n || tax !== 0n),
        before,
      );
      assert.deepEqual(await sold(), unitsBefore);
      const codes = async () => new Set((await events(world(), tenant, 'code')).flat());
      const olderCodes = await codes();
      taken(
        await importDocument(world(), tenant.channelId, fixture('settlement.v2.txt')),
        'settlement',
        24,
      );
      assert.deepEqual(await events(world(), tenant, figures), before);
      const notItems = /^(?:ServiceFee|Adjustment|Transfer)\//;
      const ofItems = (all: Set<unknown>) =>
        [...all]
          .filter(
            (code) => !notItems.test(code as string) && !(code as string).startsWith('other-'),
          )
          .sort();
      assert.deepEqual(
        ofItems(olderCodes).map((code) =>
          (code as string).replace('ShipmentFees', 'Shipment-Fees'),
        ),
        ofItems(await codes()),
      );
    },
  );

  test('the same settlement twice changes nothing, and a corrected one takes its place', async () => {
    const tenant = await world().tenant();
    const document = tableOf(v2, [opening('85.00'), principal('100.00'), commission('-15.00')]);
    for (let time = 0; time < 2; time++) {
      taken(await importDocument(world(), tenant.channelId, document), 'settlement', 3);
      assert.deepEqual(await events(world(), tenant, 'line, amount'), [
        ['sales', 100_000_000n],
        ['sellingFees', -15_000_000n],
      ]);
    }
    taken(
      await importDocument(
        world(),
        tenant.channelId,
        tableOf(v2, [opening('90.00'), principal('90.00')]),
      ),
      'settlement',
      2,
    );
    assert.deepEqual(await events(world(), tenant, 'line, amount'), [['sales', 90_000_000n]]);
  });

  reads('each of the nine columns of amounts is posted under the names of version 2', async () => {
    const tenant = await world().tenant();
    const of = (type: string, more: Cells): Cells => ({
      'settlement-id': '501',
      'transaction-type': type,
      'posted-date': '2025-03-05T10:00:00+00:00',
      ...more,
    });
    const document = tableOf(v1, [
      opening('68.00'),
      // Two amounts in one row, and the units beside the principal.
      of('Order', {
        'price-type': 'Principal',
        'price-amount': '100.00',
        'item-related-fee-type': 'Commission',
        'item-related-fee-amount': '-15.00',
        'quantity-purchased': '3',
        sku: 'A',
      }),
      of('Order', {
        'shipment-fee-type': 'FBA transportation fee',
        'shipment-fee-amount': '-4.00',
      }),
      of('Order', { 'order-fee-type': 'Strange fee', 'order-fee-amount': '-1.00' }),
      of('Order', {
        'promotion-id': 'SAVE5',
        'promotion-type': 'Principal',
        'promotion-amount': '-5.00',
      }),
      of('Order', { 'direct-payment-type': 'CashOnDelivery', 'direct-payment-amount': '-2.00' }),
      of('ServiceFee', {
        'item-related-fee-type': 'Cost of Advertising',
        'item-related-fee-amount': '-6.00',
      }),
      of('ServiceFee', {
        'other-fee-reason-description': 'TaxAmount',
        'other-fee-amount': '-0.50',
      }),
      of('Storage Fee', { 'misc-fee-amount': '-3.50' }),
      of('WAREHOUSE_DAMAGE', { 'other-amount': '8.00', 'quantity-purchased': '1' }),
      of('Storage Fee - Reversal', { 'other-amount': '1.00' }),
      of('SAFE-T Reimbursement', { 'price-type': 'SAFE-T Reimbursement', 'other-amount': '2.00' }),
      of('Previous Reserve Amount Balance', { 'other-amount': '-6.00' }),
      of('Order', {}),
      of('Order', {}),
    ]);
    const answer = await importDocument(world(), tenant.channelId, document);
    taken(answer, 'settlementV1', 15);
    assert.deepEqual(sumOf(answer), {
      currency: 'USD',
      lines: {
        sales: 100,
        sellingFees: -15,
        shippingFees: -4,
        promotions: -5,
        advertisingSpend: -6.5,
        reimbursements: 10, // 8 + 2
        otherExpenses: -5.5, // -1 and -2 that the list does not know, -3.50 + 1 of storage
      },
      tax: [0, 0],
      balance: -6,
      leftOut: 0,
      total: 68,
      documentTotal: 68,
    });
    assert.deepEqual(
      answer.body.finance.unknownCodes.map(
        (one: { code: string; amount: string; rows: number }) => [
          one.code,
          Number(one.amount),
          one.rows,
        ],
      ),
      [
        ['Order/OrderFees/Strange fee', -1, 1],
        ['Order/DirectPayment/CashOnDelivery', -2, 1],
      ],
    );
    assert.deepEqual(
      (await events(world(), tenant, 'code, quantity')).filter(([, quantity]) => quantity !== 0),
      [['Order/ItemPrice/Principal', 3]],
    );
    assert.ok(
      (await events(world(), tenant, 'code')).flat().includes('other-transaction/Storage Fee'),
    );
  });

  reads(
    'units stand on principals alone, promotions with a principal and blank amounts have none',
    async () => {
      const tenant = await world().tenant();
      const two = { 'quantity-purchased': '2', sku: 'A', 'fulfillment-id': 'MFN' };
      const document = tableOf(v2, [
        opening('15.00'),
        principal('20.00', two),
        row('Order|ItemPrice|Tax', '', two),
        row('Order|Promotion|Principal', '-5.00', two),
        // Replacements are sold for nothing.
        principal('0.00', { ...two, 'quantity-purchased': '1' }),
      ]);
      taken(await importDocument(world(), tenant.channelId, document), 'settlement', 5);
      assert.deepEqual(await events(world(), tenant, 'line, amount, quantity, fulfillment, sku'), [
        ['promotions', -5_000_000n, 0, 'MFN', 'A'],
        ['sales', 0n, 1, 'MFN', 'A'],
        ['sales', 20_000_000n, 2, 'MFN', 'A'],
      ]);
    },
  );

  reads('unknown codes are posted by their sign and reported', async () => {
    const tenant = await world().tenant();
    const document = tableOf(v2, [
      opening('1.00'),
      row('Moon Fee|Craters|Deep', '-2.00'),
      row('Moon Fee|Craters|Deep', '-3.00'),
      row('Moon Fee|Craters|High', '6.00'),
    ]);
    const answer = await importDocument(world(), tenant.channelId, document);
    taken(answer, 'settlement', 4);
    assert.deepEqual(sumOf(answer).lines, { otherIncome: 6, otherExpenses: -5 });
    assert.deepEqual(
      answer.body.finance.unknownCodes.map(
        ({ code, currency, rows, amount }: Record<string, string>) => [
          code,
          currency,
          rows,
          Number(amount),
        ],
      ),
      [
        ['Moon Fee/Craters/Deep', 'USD', 2, -5],
        ['Moon Fee/Craters/High', 'USD', 1, 6],
      ],
    );
  });

  reads('every row of a settlement is in its currency', async () => {
    const tenant = await world().tenant({ channel: { currency: 'CAD' } });
    const document = tableOf(v2, [
      opening('85.00', { currency: 'CAD' }),
      principal('100.00', { currency: 'cad' }),
      commission('-15.00'),
    ]);
    const answer = await importDocument(world(), tenant.channelId, document);
    taken(answer, 'settlement', 3);
    assert.equal(sumOf(answer).currency, 'CAD');
    assert.deepEqual(await events(world(), tenant, 'currency, amount'), [
      ['CAD', -15_000_000n],
      ['CAD', 100_000_000n],
    ]);
    const mixed = tableOf(v2, [
      opening('85.00', { currency: 'CAD' }),
      principal('100.00', { currency: 'EUR' }),
      commission('-15.00'),
    ]);
    refused(
      await importDocument(world(), tenant.channelId, mixed),
      /add up to -15\.00 CAD, its total-amount is 85\.00 CAD, .*line 3 is in "EUR", but the settlement in CAD/,
    );
  });

  reads('a quote between tabs is a character; between commas it encloses', async () => {
    const tenant = await world().tenant();
    const sku = '"24" TV';
    const rows = [
      opening('85.00'),
      principal('100.00', { sku, 'promotion-id': 'a "deal' }),
      commission('-15.00', { sku }),
    ];
    taken(await importDocument(world(), tenant.channelId, tableOf(v2, rows)), 'settlement', 3);
    assert.deepEqual(await events(world(), tenant, 'sku, amount'), [
      [sku, -15_000_000n],
      [sku, 100_000_000n],
    ]);
    for (const delimiter of [',', ';']) {
      const quoted = tableOf(
        v2.map((name) => `"${name}"`),
        rows.map((cells) =>
          Object.fromEntries(
            Object.entries(cells).map(([name, text]) => [
              `"${name}"`,
              `"${text.replaceAll('"', '""').replace('.00', ',00')}"`,
            ]),
          ),
        ),
        delimiter,
      );
      taken(await importDocument(world(), tenant.channelId, quoted), 'settlement', 3);
      assert.deepEqual(await events(world(), tenant, 'sku, amount'), [
        [sku, -15_000_000n],
        [sku, 100_000_000n],
      ]);
    }
  });

  reads(
    'other encodings are read if they are named; otherwise their lines are reported',
    async () => {
      const tenant = await world().tenant();
      const document = (sku: string) => tableOf(v2, [opening('1.00'), principal('1.00', { sku })]);
      const send = (body: Buffer, charset: string) =>
        postImport(
          world(),
          `/operator/documents?channelId=${tenant.channelId}`,
          body,
          `application/octet-stream; charset=${charset}`,
        );
      const skus = async () => (await events(world(), tenant, 'sku')).flat();
      taken(
        await send(Buffer.from(document('Größe-1'), 'latin1'), 'windows-1252'),
        'settlement',
        2,
      );
      assert.deepEqual(await skus(), ['Größe-1']);
      const japanese = Buffer.from(document('@@').replaceAll('\n', '\r\n'));
      const place = japanese.indexOf('@@');
      // 靴 in Shift_JIS.
      const shiftJis = Buffer.concat([
        japanese.subarray(0, place),
        Buffer.of(0x8c, 0x43),
        japanese.subarray(place + 2),
      ]);
      taken(await send(shiftJis, 'shift_jis'), 'settlement', 2);
      assert.deepEqual(await skus(), ['靴']);
      taken(
        await importDocument(world(), tenant.channelId, `\ufeff${document('Größe-2')}`),
        'settlement',
        2,
      );
      assert.deepEqual(await skus(), ['Größe-2']);
      refused(
        await importDocument(world(), tenant.channelId, Buffer.from(document('Größe-1'), 'latin1')),
        /line 3 is not UTF-8: name the encoding/,
      );
      assert.deepEqual(await skus(), ['Größe-2']);
    },
  );
});

// How a document is read does not depend on the stores that it goes to.
describe('Settlements that are read (embedded)', () => {
  let own: World | undefined;
  const world = () => own!;
  before(async () => {
    own = await openWorld('embedded');
  });
  after(() => own?.close());

  test('a document that does not come to its total is refused with both figures, and nothing of it stays', async () => {
    const tenant = await world().tenant();
    const whole = fixture('settlement.v2.txt');
    const lines = whole.split('\n');
    const refuse = async (document: string | Buffer, reason: RegExp, query = '') =>
      refused(await importDocument(world(), tenant.channelId, document, query), reason);
    await refuse(
      whole.replace('\t582.89\t', '\t582.90\t'),
      /rows of settlement 90210447718 add up to 582\.89 USD, its total-amount is 582\.90 USD, a difference of 0\.01 USD: the document is cut off/,
    );
    // Without its last two rows: -420 and 820.44.
    await refuse(
      `${lines.slice(0, 23).join('\n')}\n`,
      /add up to 182\.45 USD, its total-amount is 582\.89 USD, a difference of 400\.44 USD/,
    );
    // In the middle of the last row.
    await refuse(
      whole.slice(0, -60),
      /difference of -420\.00 USD; 1 row was rejected: line 25 has \d+ cells, but the header has 24/,
    );
    await refuse(
      whole.replace('\t210.00\t', '\tmuch\t'),
      /difference of 210\.00 USD; 1 row was rejected: line 17 must have amounts with decimals after a point \(one is "much"\)/,
    );
    await refuse(
      whole.replace('2025-03-06 15:02:10 UTC', '2025-02-30 15:02:10 UTC'),
      /line 8 posted-date must be a date \(it is "2025-02-30 15:02:10 UTC"\)/,
    );
    await refuse(
      whole.replace('\tCB-0450\t2\t', '\tCB-0450\ttwo\t'),
      /line 8 quantity-purchased must be a whole number/,
    );
    await refuse(
      whole.replace('\tCB-0450\t', '\tCB\u0000\t'),
      /line 8 sku contains a NUL character/,
    );
    // Refused rows of nothing leave the sum as it is, but the document is not whole all the same.
    await refuse(
      tableOf(v2, [
        opening('1.00'),
        principal('1.00'),
        principal('0.00', { 'posted-date-time': '' }),
      ]),
      /line 4 has no posted-date/,
    );
    await refuse(
      `${lines.slice(0, 2).join('\n')}\n`,
      /settlement 90210447718 has no amounts: the document is cut off/,
    );
    await refuse(`${lines[0]}\n`, /the document has no settlement: it is cut off/);
    await refuse('', /the document is empty/);
    await refuse(
      `${[lines[0], ...lines.slice(2)].join('\n')}`,
      /line 2 should have the settlement's dates and total-amount/,
    );
    await refuse(`${whole}${lines[1]}\n`, /line 26 begins another settlement/);
    await refuse(
      `${whole}${lines[3]!.replace('90210447718', '90210447719')}\n`,
      /line 26 belongs to settlement "90210447719", the first row to "90210447718"/,
    );
    await refuse(
      whole,
      /a settlement has its own dates: omit from and to/,
      '&from=2025-03-03&to=2025-03-17',
    );
    await refuse(gzipSync(whole).subarray(0, 700), /the gzip data ends too early/);
    await refuse(whole.replaceAll('posted-date\t', 'posted\t'), /the header lacks posted-date/);
    await refuse(
      tableOf(v2, [opening('1.00', { 'settlement-end-date': '2025-03-01' }), principal('1.00')]),
      /settlement-end-date lies before/,
    );
    await refuse(
      tableOf(v2, [opening('1.00', { 'settlement-end-date': 'soon' }), principal('1.00')]),
      /settlement-end-date of the first row must be a date \(it is "soon"\)/,
    );
    await refuse(
      tableOf(v2, [opening('1.00', { currency: '' }), principal('1.00')]),
      /currency of the first row must be/,
    );
    await refuse(
      tableOf(v2, [opening('a lot'), principal('1.00')]),
      /total-amount must be an amount \(it is "a lot"\)/,
    );
    assert.deepEqual(await events(world(), tenant), []);
    const [failed] = (
      await world().operate('GET', `/operator/imports?channelId=${tenant.channelId}&pageSize=1`)
    ).imports;
    assert.equal(failed.state, 'failed');
    const several = tableOf(v2, [
      opening('1.00'),
      ...Array.from({ length: 7 }, () => principal('x')),
    ]);
    const answer = await importDocument(world(), tenant.channelId, several);
    refused(answer, /; 7 rows were rejected: line 3 .*; line 7 [^;]*; … \(import \d+\)$/);
    const importId = /import (\d+)/.exec(answer.body.error)![1];
    assert.equal(
      (await world().operate('GET', `/operator/imports/${importId}/rejected`)).rejected.length,
      7,
    );
  });

  test('the settlement’s own dates and rows decide the order of day and month', async () => {
    const from = (start: string, end: string, ...dates: string[]) =>
      tableOf(v2, [
        opening(`${dates.length}.00`, {
          'settlement-start-date': start,
          'settlement-end-date': end,
        }),
        ...dates.map((date) =>
          principal(
            '1.00',
            date.includes(':')
              ? { 'posted-date-time': date }
              : { 'posted-date': date, 'posted-date-time': '' },
          ),
        ),
      ]);
    const posted = async (document: string): Promise<string[]> => {
      const tenant = await world().tenant();
      const answer = await importDocument(world(), tenant.channelId, document);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return (await events(world(), tenant, 'posted_at')).map(([instant]) =>
        new Date(Number(instant) * 1000).toISOString().slice(0, 16),
      );
    };
    // The month is first, as a day beyond 12 shows. A date alone is noon in Los Angeles, where the
    // clocks go forward on March 9th.
    assert.deepEqual(await posted(from('03/03/2025', '03/17/2025', '03/05/2025', '03/12/2025')), [
      '2025-03-05T20:00',
      '2025-03-12T19:00',
    ]);
    assert.deepEqual(await posted(from('03/03/25', '17/03/25', '05/03/25', '12/03/25')), [
      '2025-03-05T20:00',
      '2025-03-12T19:00',
    ]);
    // By its dates alone it would last from January to May.
    assert.deepEqual(await posted(from('01/02/2025', '05/02/2025', '03/02/2025')), [
      '2025-02-03T20:00',
    ]);
    // Its own dates are plain, and only in one order the rows lie within.
    assert.deepEqual(
      await posted(from('2025-03-03', '2025-03-17', '03/05/2025', '03/06/2025 23:30:00 UTC')),
      ['2025-03-05T20:00', '2025-03-06T23:30'],
    );
    assert.deepEqual(await posted(from('2025-03-03', '2025-03-17', '05/03/2025', '01/03/2025')), [
      '2025-03-01T20:00',
      '2025-03-05T20:00',
    ]);
    assert.deepEqual(
      await posted(
        from(
          '03.03.2025 00:00:00 UTC',
          '17.03.2025 00:00:00 UTC',
          '05.03.2025 08:09:10 UTC',
          '06.03.25',
        ),
      ),
      ['2025-03-05T08:09', '2025-03-06T20:00'],
    );
    assert.deepEqual(
      await posted(
        from('2025/03/03 00:00:00 UTC', '2025/03/17 00:00:00 UTC', '2025/03/05 08:09:10 UTC'),
      ),
      ['2025-03-05T08:09'],
    );
    assert.deepEqual(
      await posted(
        from(
          '2025-03-03T00:00:00-08:00',
          '2025-03-17T00:00:00-07:00',
          '2025-03-05T08:00:00+01:00',
          '2025-03-05 08:00:00',
        ),
      ),
      // A time without its offset is of the channel's clocks.
      ['2025-03-05T07:00', '2025-03-05T16:00'],
    );
    const tenant = await world().tenant();
    // January 2nd to 3rd, or February 1st to March 1st.
    const undecided = from('01/02/2025', '01/03/2025', '01/02/2025', '01/03/2025');
    refused(
      await importDocument(world(), tenant.channelId, undecided),
      /all dates of the document have two readings/,
    );
    assert.deepEqual(
      await posted(from('01/02/2025', '01/03/2025', '01/02/2025', '01/03/2025', '14/02/2025')),
      ['2025-02-01T20:00', '2025-02-14T20:00', '2025-03-01T20:00'],
    );
    refused(
      await importDocument(
        world(),
        tenant.channelId,
        from('13/13/2025', '14/14/2025', '13/13/2025'),
      ),
      /settlement-start-date of the first row must be a date/,
    );
    // Enough rows that many are read before the last one reveals the order.
    const many = from(
      '01/02/2025',
      '01/03/2025',
      ...Array.from({ length: 5000 }, () => '01/03/2025'),
      '02/03/2025',
    );
    assert.deepEqual((await posted(many)).slice(4998), [
      '2025-03-01T20:00',
      '2025-03-01T20:00',
      '2025-03-02T20:00',
    ]);
  });

  test('amounts are read with the decimal mark of the document', async () => {
    const total = async (currency: string, documentTotal: string, ...amounts: string[]) => {
      const tenant = await world().tenant({ channel: { currency } });
      const document = tableOf(v2, [
        opening(documentTotal, { currency }),
        ...amounts.map((amount) => principal(amount)),
      ]);
      return sumOf(await importDocument(world(), tenant.channelId, document)).lines.sales;
    };
    assert.equal(await total('EUR', '1.582,89', '1.600,00', '-17,11'), 1582.89);
    assert.equal(await total('JPY', '1,234', '1,500', '-266'), 1234);
    assert.equal(await total('KWD', '1.234', '1.500', '-0.266'), 1.234);
    const tenant = await world().tenant();
    const mixed = tableOf(v2, [opening('90,25'), principal('95,00'), commission('-4.75')]);
    refused(
      await importDocument(world(), tenant.channelId, mixed),
      /add up to 95\.00 USD, its total-amount is 90\.25 USD.*line 4 must have amounts with decimals after a comma \(one is "-4\.75"\)/,
    );
  });
});

const reimbursementColumns =
  'approval-date reimbursement-id case-id amazon-order-id reason sku fnsku asin product-name condition currency-unit amount-per-unit amount-total quantity-reimbursed-cash quantity-reimbursed-inventory quantity-reimbursed-total original-reimbursement-id original-reimbursement-type'.split(
    ' ',
  );
const reimbursed = (id: string, amount: string, more: Cells = {}): Cells => ({
  'approval-date': '2025-03-08T10:00:00+00:00',
  'reimbursement-id': id,
  reason: 'Damaged_Warehouse',
  sku: 'A',
  'product-name': '24" TV, "wide"',
  'currency-unit': 'USD',
  'amount-total': amount,
  ...more,
});
const reimbursementsOf = (...rows: Cells[]) => tableOf(reimbursementColumns, rows);

onOnePair('Reimbursements', (world) => {
  test('are posted when approved: reversals are negative, goods instead of money are zero', async () => {
    const tenant = await world().tenant();
    const document = reimbursementsOf(
      reimbursed('R1', '12.50', { 'amazon-order-id': '701-1', 'quantity-reimbursed-cash': '1' }),
      reimbursed('R1', '7.50', { sku: 'B', 'approval-date': '2025-03-08' }),
      reimbursed('R2', '-12.50', {
        reason: 'Reversal_Reimbursement',
        'approval-date': '2025-03-12T08:00:00-07:00',
      }),
      reimbursed('R3', '0.00', { 'quantity-reimbursed-inventory': '2' }),
      reimbursed('R4', '', {}),
      reimbursed('R5', '1,000.25', { 'currency-unit': 'CAD' }),
    );
    for (let time = 0; time < 2; time++) {
      const answer = await importDocument(world(), tenant.channelId, document);
      taken(answer, 'reimbursements', 6);
      assert.deepEqual(
        answer.body.finance.sums.map(
          ({ currency, lines, total, documentTotal }: Record<string, unknown>) => [
            currency,
            lines,
            Number(total),
            documentTotal,
          ],
        ),
        [
          ['USD', { reimbursements: '7.500000' }, 7.5, null],
          ['CAD', { reimbursements: '1000.250000' }, 1000.25, null],
        ],
      );
      assert.deepEqual(
        await events(
          world(),
          tenant,
          'posted_at, sku, order_id, line, code, amount, quantity, currency',
        ),
        [
          [
            at('2025-03-08T10:00:00Z'),
            'A',
            '',
            'reimbursements',
            'Reimbursement/Damaged_Warehouse',
            0n,
            0,
            'USD',
          ],
          [
            at('2025-03-08T10:00:00Z'),
            'A',
            '',
            'reimbursements',
            'Reimbursement/Damaged_Warehouse',
            0n,
            0,
            'USD',
          ],
          [
            at('2025-03-08T10:00:00Z'),
            'A',
            '',
            'reimbursements',
            'Reimbursement/Damaged_Warehouse',
            1_000_250_000n,
            0,
            'CAD',
          ],
          [
            at('2025-03-08T10:00:00Z'),
            'A',
            '701-1',
            'reimbursements',
            'Reimbursement/Damaged_Warehouse',
            12_500_000n,
            0,
            'USD',
          ],
          // Noon in Los Angeles, before its clocks go forward.
          [
            at('2025-03-08T20:00:00Z'),
            'B',
            '',
            'reimbursements',
            'Reimbursement/Damaged_Warehouse',
            7_500_000n,
            0,
            'USD',
          ],
          [
            at('2025-03-12T15:00:00Z'),
            'A',
            '',
            'reimbursements',
            'Reimbursement/Reversal_Reimbursement',
            -12_500_000n,
            0,
            'USD',
          ],
        ],
      );
    }
  });

  test('overlapping documents do not add up, and the console’s CSV is accepted too', async () => {
    const tenant = await world().tenant();
    taken(
      await importDocument(
        world(),
        tenant.channelId,
        reimbursementsOf(reimbursed('R1', '1.00'), reimbursed('R2', '2.00')),
      ),
      'reimbursements',
      2,
    );
    const csv = tableOf(
      reimbursementColumns.map((name) => `"${name}"`),
      [reimbursed('R2', '2.50'), reimbursed('R3', '3.00')].map((cells) =>
        Object.fromEntries(
          Object.entries(cells).map(([name, text]) => [
            `"${name}"`,
            `"${text.replaceAll('"', '""')}"`,
          ]),
        ),
      ),
      ',',
    );
    taken(await importDocument(world(), tenant.channelId, csv), 'reimbursements', 2);
    assert.deepEqual(await events(world(), tenant, 'amount'), [
      [1_000_000n],
      [2_500_000n],
      [3_000_000n],
    ]);
  });

  test('unreadable rows are rejected with line and reason, the others imported', async () => {
    const tenant = await world().tenant();
    const document = reimbursementsOf(
      reimbursed('R1', '1.00'),
      reimbursed('', '2.00'),
      reimbursed('R3', 'a lot'),
      reimbursed('R4', '1.00', { 'approval-date': 'yesterday' }),
      reimbursed('R5', '1.00', { 'approval-date': '03/04/2025' }),
      reimbursed('R6', '1.00', { 'currency-unit': 'dollars' }),
      reimbursed('R7', '1.00', { 'approval-date': '03/14/2025' }),
    );
    const answer = await importDocument(world(), tenant.channelId, document);
    assert.deepEqual(reasons(answer), [
      [3, 'reimbursement-id is required'],
      [4, 'amount-total must be an amount (it is "a lot")'],
      [5, 'approval-date must be a date (it is "yesterday")'],
      [
        6,
        'approval-date has two readings: write the date with the year first (it is "03/04/2025")',
      ],
      [7, 'currency must be a currency code of three letters'],
    ]);
    assert.equal((await events(world(), tenant)).length, 2);
    const outside = await importDocument(
      world(),
      tenant.channelId,
      reimbursementsOf(
        reimbursed('R8', '1.00'),
        reimbursed('R9', '1.00', { 'approval-date': '2025-04-01' }),
      ),
      '&from=2025-03-01&to=2025-03-31',
    );
    assert.deepEqual(reasons(outside), [[3, 'is outside the dates that the import covers']]);
    refused(
      await importDocument(world(), tenant.channelId, `${reimbursementColumns.join('\t')}\n`),
      /the document has no rows/,
    );
  });

  test('are superseded by a settlement, whichever comes first', async () => {
    const settled = tableOf(v2, [
      opening('20.00'),
      row('other-transaction|FBA Inventory Reimbursement|WAREHOUSE_DAMAGE', '12.50', {
        sku: 'A',
        'posted-date-time': '2025-03-08 10:00:00 UTC',
      }),
      // Before the settlement's start: matched by order and instant.
      row('other-transaction|FBA Inventory Reimbursement|WAREHOUSE_LOST', '7.50', {
        'order-id': '701-9',
        'posted-date-time': '2025-02-20 10:00:00 UTC',
      }),
    ]);
    const reported = reimbursementsOf(
      reimbursed('R1', '12.50'),
      reimbursed('R2', '7.50', {
        'amazon-order-id': '701-9',
        'approval-date': '2025-02-20T10:00:00+00:00',
      }),
      reimbursed('R3', '4.00', {
        'amazon-order-id': '701-8',
        'approval-date': '2025-02-20T10:00:00+00:00',
      }),
      reimbursed('R4', '5.00', { 'approval-date': '2025-03-18T10:00:00+00:00' }),
    );
    const facts = [
      ['reimbursements', 4_000_000n],
      ['reimbursements', 5_000_000n],
      ['settlement', 7_500_000n],
      ['settlement', 12_500_000n],
    ];
    const first = await world().tenant();
    taken(await importDocument(world(), first.channelId, settled), 'settlement', 3);
    const left = await importDocument(world(), first.channelId, reported);
    taken(left, 'reimbursements', 4);
    assert.deepEqual(await events(world(), first, 'source, amount'), facts);
    const { lines, leftOut, total } = sumOf(left);
    assert.deepEqual([lines, leftOut, total], [{ reimbursements: 9 }, 20, 29]);
    assert.deepEqual(left.body.finance.leftOut, [{ told: 'settlement', rows: 2 }]);
    const second = await world().tenant();
    taken(await importDocument(world(), second.channelId, reported), 'reimbursements', 4);
    const gave = await importDocument(world(), second.channelId, settled);
    taken(gave, 'settlement', 3);
    assert.deepEqual(gave.body.finance.gaveWay, [{ told: 'reimbursements', rows: 2 }]);
    assert.deepEqual(await events(world(), second, 'source, amount'), facts);
  });
});

const returnColumns =
  'return-date order-id sku asin fnsku product-name quantity fulfillment-center-id detailed-disposition reason status license-plate-number customer-comments'.split(
    ' ',
  );
const returned = (plate: string, more: Cells = {}): Cells => ({
  'return-date': '2025-03-20T09:00:00+00:00',
  'order-id': '701-1',
  sku: 'A',
  quantity: '1',
  'detailed-disposition': 'SELLABLE',
  reason: 'UNWANTED_ITEM',
  'license-plate-number': plate,
  'customer-comments': 'call jane@private.example or 555-0100',
  ...more,
});
const returnsOf = (...rows: Cells[]) => tableOf(returnColumns, rows);

onOnePair('Customer returns', (world) => {
  test('add units without money, once per equal row, and importing them again changes nothing', async () => {
    const tenant = await world().tenant();
    const document = returnsOf(
      returned('L1'),
      returned('L2', { quantity: '2', 'return-date': '2025-03-21' }),
      // Without a plate two rows alike are two returns.
      returned('', { sku: 'B', 'detailed-disposition': 'DEFECTIVE' }),
      returned('', { sku: 'B', 'detailed-disposition': 'DEFECTIVE' }),
    );
    for (let time = 0; time < 2; time++) {
      taken(await importDocument(world(), tenant.channelId, document), 'customerReturns', 4);
      assert.deepEqual(
        await events(
          world(),
          tenant,
          'posted_at, sku, order_id, line, code, amount, quantity, fulfillment, source',
        ),
        [
          [
            at('2025-03-20T09:00:00Z'),
            'A',
            '701-1',
            'refunds',
            'Return/SELLABLE/UNWANTED_ITEM',
            0n,
            1,
            'AFN',
            'returns',
          ],
          [
            at('2025-03-20T09:00:00Z'),
            'B',
            '701-1',
            'refunds',
            'Return/DEFECTIVE/UNWANTED_ITEM',
            0n,
            1,
            'AFN',
            'returns',
          ],
          [
            at('2025-03-20T09:00:00Z'),
            'B',
            '701-1',
            'refunds',
            'Return/DEFECTIVE/UNWANTED_ITEM',
            0n,
            1,
            'AFN',
            'returns',
          ],
          [
            at('2025-03-21T19:00:00Z'),
            'A',
            '701-1',
            'refunds',
            'Return/SELLABLE/UNWANTED_ITEM',
            0n,
            2,
            'AFN',
            'returns',
          ],
        ],
      );
    }
    const csv = tableOf(
      returnColumns,
      [{ ...returned('L1'), 'customer-comments': '"too small, ""tight""\nand red"' }],
      ',',
    );
    taken(await importDocument(world(), tenant.channelId, csv), 'customerReturns', 1);
    assert.equal((await events(world(), tenant)).length, 4);
  });

  test('customers’ comments appear in no reason and no log', async () => {
    const tenant = await world().tenant();
    const document = returnsOf(
      returned('L1', { quantity: 'some' }),
      returned('L2', { 'return-date': 'soon' }),
      returned('L3', { 'customer-comments': 'jane@private.example\tand more of it' }),
      returned('L4', { 'customer-comments': 'see "here: jane@private.example' }),
    );
    const answer = await importDocument(world(), tenant.channelId, document);
    assert.deepEqual(reasons(answer), [
      [2, 'quantity must be a whole number, 0 or more (it is "some")'],
      [3, 'return-date must be a date (it is "soon")'],
      [4, 'has 14 cells, but the header has 13'],
    ]);
    const logged = world().logLines.join('\n');
    assert.ok(
      !logged.includes('private.example') &&
        !JSON.stringify(answer.body).includes('private.example'),
    );
  });

  test('are superseded by a settlement with returned units, whichever is first, but not by one without', async () => {
    const refundOf = (quantity: string) =>
      tableOf(v2, [
        opening('-10.00'),
        row('Refund|ItemPrice|Principal', '-10.00', {
          'order-id': '701-1',
          sku: 'A',
          'quantity-purchased': quantity,
          'posted-date-time': '2025-03-10 10:00:00 UTC',
        }),
      ]);
    const document = returnsOf(
      returned('L1', { 'return-date': '2025-03-09T09:00:00+00:00' }),
      returned('L2'),
    );
    const first = await world().tenant();
    taken(await importDocument(world(), first.channelId, refundOf('1')), 'settlement', 2);
    taken(await importDocument(world(), first.channelId, document), 'customerReturns', 2);
    const second = await world().tenant();
    taken(await importDocument(world(), second.channelId, document), 'customerReturns', 2);
    taken(await importDocument(world(), second.channelId, refundOf('1')), 'settlement', 2);
    for (const tenant of [first, second]) {
      assert.deepEqual(await events(world(), tenant, 'source, posted_at, quantity'), [
        ['returns', at('2025-03-20T09:00:00Z'), 1],
        ['settlement', at('2025-03-10T10:00:00Z'), 1],
      ]);
    }
    const third = await world().tenant();
    taken(await importDocument(world(), third.channelId, refundOf('')), 'settlement', 2);
    taken(await importDocument(world(), third.channelId, document), 'customerReturns', 2);
    assert.deepEqual(await events(world(), third, 'source, quantity'), [
      ['returns', 1],
      ['returns', 1],
      ['settlement', 0],
    ]);
  });
});
