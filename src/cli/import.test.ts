/** The command "vitrine import": what it sends, what it shows, and the code that it exits with. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runVitrine } from '../../test/commandLine.ts';
import { openWorld, type World } from '../../test/harness.ts';
import { opening, row, tableOf, v2 } from '../../test/settlements.ts';
import { rowsOf, textBeside } from '../../test/table.ts';

const token = 'operator-token-of-the-tests';
const day = (date: string, pageViews: unknown) => JSON.stringify({ date, pageViews });

describe('vitrine import', () => {
  let world: World;
  let address: string;
  let channelId: string;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-import-'));
  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  before(async () => {
    world = await openWorld('embedded');
    address = await world.server.listen({ host: '127.0.0.1', port: 0 });
    ({ channelId } = await world.tenant());
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  /** The options of rows of traffic. */
  const asTraffic = () => ['--channel', channelId, '--dataset', 'traffic'];
  const ofOperator = () => ({ VITRINE_OPERATOR_TOKEN: token, VITRINE_PUBLIC_URL: address });
  const run = (args: readonly string[], input = '', environment: object = ofOperator()) =>
    runVitrine(['import', ...args], {
      input,
      environment: { VITRINE_DATA: folder, ...environment },
    });
  /** Expects a command to end with a code, and its output or, of a refusal, its errors to match. */
  const ends = async (args: readonly string[], expected: number, says?: RegExp) => {
    const { code, out, error } = await run(args);
    assert.equal(code, expected, `${args.join(' ')}: ${error}`);
    if (says !== undefined) assert.match(code === 0 || code === 3 ? out : error, says);
    return { out, error };
  };
  const rowsHeld = async () => {
    const { datasets } = await world.operate('GET', `/operator/freshness?channelId=${channelId}`);
    return datasets.find((one: { dataset: string }) => one.dataset === 'traffic')?.rows ?? 0;
  };

  test('0: several files are imported in turn, each with a summary', async () => {
    const first = file('one.ndjson', `${day('2026-01-01', 10)}\n${day('2026-01-02', 20)}\n`);
    const second = file('two.csv.gz', gzipSync('date,pageViews\n2026-01-03,30\n'));
    const { out } = await ends(
      [first, second, ...asTraffic()],
      0,
      /one\.ndjson: traffic \(import \d+\)\n {2}rows read {2}2\n {2}accepted {3}2\n {2}rejected {3}0\n {2}dates {6}2026-01-01 to 2026-01-02/,
    );
    assert.match(out, /two\.csv\.gz: traffic .*\n.*1\n.*1\n.*0\n {2}dates {6}2026-01-03\n/);
    assert.equal(await rowsHeld(), 3);
  });

  test('0: standard input is read, and its document kind is detected', async () => {
    const rates = 'Date,USD,JPY,GBP,AUD,SEK,\n2026-01-02,1.1,160,0.85,1.7,11,\n';
    const { code, out } = await run(['-', '--json'], rates);
    assert.equal(code, 0);
    const answer = JSON.parse(out);
    assert.deepEqual(
      [answer.file, answer.dataset, answer.rowsAccepted, answer.from],
      ['-', 'referenceRates', 5, '2026-01-02'],
    );
  });

  test('a financial document is summed by line, with unknown codes, skipped and superseded rows', async () => {
    const money = (currencyAmount: number) => ({ currencyAmount, currencyCode: 'USD' });
    const amount = money(-39.99);
    const part = (breakdownType: string, breakdowns: object[]) => [
      { breakdownType, breakdownAmount: amount, breakdowns },
    ];
    const [fee] = rowsOf(`transactionType, transactionId, postedDate
      ServiceFee, T1, 2026-01-03T10:00:00Z`);
    const breakdowns = part('AmazonFees', part('Subscription', []));
    const transaction = { ...fee, totalAmount: amount, breakdowns };
    const transactions = file('transactions.json', JSON.stringify({ transactions: [transaction] }));
    const ofRow = { 'posted-date-time': '2026-01-03 10:00:00 UTC' };
    const period = {
      'settlement-start-date': '2026-01-01 00:00:00 UTC',
      'settlement-end-date': '2026-01-14 23:59:59 UTC',
    };
    const settlement = file(
      'settlement.txt',
      tableOf(v2, [
        opening('957.50', period),
        row('Order|ItemPrice|Principal', '1010.00', ofRow),
        row('Order|ItemPrice|Tax', '0.005', ofRow),
        row('Order|ItemFees|Novel\u001b[2J Fee', '-1.505', ofRow),
        row('Order|ItemFees|Newer', '-40.00', ofRow),
        row('ServiceFee|other-transaction|Current Reserve Amount', '-11.00', ofRow),
      ]),
    );
    const linesOf = async (document: string) => {
      const { out } = await ends([document, '--channel', channelId], 0);
      return out.split('\n').slice(1, -1);
    };
    const counts = (rows: number) =>
      `  rows read  ${rows}\n  accepted   ${rows}\n  rejected   0`.split('\n');
    assert.deepEqual(await linesOf(transactions), [
      ...counts(1),
      '  dates      2026-01-03',
      '  USD',
      '    sellingFees     -39.99',
      '    total           -39.99',
      '    document total  -39.99',
    ]);
    const settled = textBeside(import.meta.url, 'import.settled.txt')
      .trimEnd()
      .split('\n');
    const dates = '  dates      2025-12-31 to 2026-01-14';
    assert.deepEqual(await linesOf(settlement), [...counts(6), dates, ...settled]);
    const path = `/operator/imports?channelId=${channelId}&dataset=settlement`;
    const { imports } = await world.operate('GET', path);
    const words = ['imports', 'show', String(imports[0].importId)];
    const shown = await runVitrine(words, { environment: ofOperator() });
    assert.deepEqual(shown.out.split('\n').slice(-settled.length - 1, -1), settled);
    assert.match(shown.out, /^rows accepted +6$/m);
    const again = await linesOf(transactions);
    assert.deepEqual(again.slice(4), [
      '  USD',
      '    skipped         -39.99',
      '    total           -39.99',
      '    document total  -39.99',
      '  1 row skipped, already reported by settlement',
    ]);
  });

  test('3: rejected rows are shown with their line and reason', async () => {
    const rows = Array.from({ length: 13 }, (_, at) => day('2026-01-04', at === 0 ? 5 : 'many'));
    const bad = file('bad.ndjson', rows.join('\n'));
    const { out } = await ends([bad, ...asTraffic()], 3, /rejected {3}12\n/);
    assert.match(
      out,
      / {4}line {2}2 {2}pageViews must be a whole number, 0 or more \(it is "many"\)\n/,
    );
    assert.match(out, / {4}line 11 .*\n {4}and 2 more: vitrine imports rejected \d+\n/);
  });

  test('3: when no row was accepted, it says that nothing was imported', async () => {
    const bad = file('none.ndjson', [day('2026-01-04', -1), day('2026-01-05', -2)].join('\n'));
    const args = [bad, ...asTraffic()];
    await ends(
      args,
      3,
      /accepted {3}0\n {2}rejected {3}2\n[\s\S]*line 1 {2}pageViews.*\n.*\n {2}nothing was imported\n$/,
    );
    const asJson = await ends([...args, '--json'], 3);
    const answer = JSON.parse(asJson.out);
    assert.match(answer.error, /^nothing was imported, because 2 rows were rejected: line 1 page/);
    assert.deepEqual([answer.rowsRejected, answer.rejected.length], [2, 2]);
  });

  test('1: a refusal proposes options as they are typed here', async () => {
    const rows = file('lines.csv', 'orderId,lineId,purchasedAt,sku,quantity\n');
    const week =
      'Campaigns,State,Type,Budget,Clicks,Spend,Impressions,Orders,Sales\nA,ENABLED,SP,1,1,1,1,1,1\n';
    const campaigns = file('week.csv', week);
    const sale = 'orderId,lineId,purchasedAt,itemPrice\n1,1,2026-01-02 10:00,"12,5"\n';
    const european = file('european.csv', sale);
    const of = `--channel ${channelId}`;
    const needsDates =
      /the document needs --from YYYY-MM-DD --to YYYY-MM-DD \(.*, also --coarse lastDay\)/;
    for (const [document, options, reason] of [
      [rows, of, /^lines\.csv: refused: these are orderLines rows: add --dataset orderLines /],
      [campaigns, of, needsDates],
      [
        campaigns,
        `${of} --from 2026-01-01 --to 2026-01-07`,
        /the document needs --coarse lastDay \(its rows cover several days, such as 2026-01-01 to 2026-01-07/,
      ],
      [campaigns, '', /name it with --channel ID/],
      [
        european,
        `${of} --dataset orderLines`,
        /the document needs --zone channel \(.*\) and --decimal comma \(.*, such as 12,5\)/,
      ],
    ] as const)
      await ends([document, ...options.split(' ').filter(Boolean)], 1, reason);
    const options = `${of} --dataset orderLines --zone channel --decimal comma`;
    await ends([european, ...options.split(' ')], 0, /accepted {3}1\n/);
  });

  test('1: a refused document is shown with its reason, and the next file is still imported', async () => {
    const before = await rowsHeld();
    const bad = file('abort.ndjson', `${day('2026-01-05', 1)}\n${day('2026-01-06', -1)}\n`);
    const good = file('good.ndjson', day('2026-01-07', 1));
    const options = [...asTraffic(), '--on-error', 'abort'];
    const { out } = await ends(
      [bad, good, ...options],
      1,
      /^abort\.ndjson: refused: 1 row was rejected, so the whole document was refused: line 2 pageViews/,
    );
    assert.match(out, /^good\.ndjson: traffic/);
    assert.equal(await rowsHeld(), before + 1);
    const asJson = await run([bad, ...options, '--json']);
    assert.equal(JSON.parse(asJson.out).status, 400);
  });

  test('1: an early refusal is shown with its reason, not as a broken connection', async () => {
    const large = file('large.ndjson', `${day('2026-01-08', 1)}\n`.repeat(400_000));
    const reason =
      /^large\.ndjson: refused: (there is no such channel: "vitrine|--from must be a date)/;
    await ends([large, '--channel', 'unknown', '--dataset', 'traffic'], 1, reason);
    await ends([large, ...asTraffic(), '--from', '2026-02-30', '--to', '2026-03-01'], 1, reason);
    const notAccepted = /^http:\S+ did not accept the operator token/;
    await ends([large, ...asTraffic(), '--token', 'wrong'], 1, notAccepted);
  });

  test('1: a missing service comes with advice to start one', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    closed.close();
    await ends(
      [file('any.ndjson', '{}'), '--token', token, '--url', `http://127.0.0.1:${port}`],
      1,
      /^No service answers at http:\/\/127\.0\.0\.1:\d+\. Start one with "vitrine serve"/,
    );
  });

  test('the token of the data folder is sent only to this machine', async () => {
    const good = file('kept.ndjson', day('2026-01-09', 1));
    const args = [good, ...asTraffic(), '--url'];
    const missing = await run([...args, address], '', {});
    assert.equal(missing.code, 1);
    assert.match(missing.error, /operator-token does not exist\. Start the service/);
    file('operator-token', `${token}\n`);
    assert.equal((await run([...args, address], '', {})).code, 0);
    const foreign = await run([...args, 'https://api.example.com'], '', {});
    assert.match(foreign.error, /^No operator token for https:\/\/api\.example\.com/);
  });

  test('2: an invalid command is refused at once, and nothing is sent', async () => {
    mkdirSync(join(folder, 'sub'));
    const good = file('fine.ndjson', day('2026-01-10', 1));
    const wrong: [string[], RegExp][] = [
      [[], /missing required argument 'file'/],
      [[good, '--unknown'], /unknown option '--unknown'/],
      [[good, '--on-error', 'panic'], /Allowed choices are skip, abort/],
      [[good, join(folder, 'nowhere')], /file not found: .*nowhere/],
      [[join(folder, 'sub')], /is a folder/],
      [['-', '-'], /only once/],
      [
        [good, '--from', '2026-01-01', '--format', 'csv'],
        /--format is for rows of a dataset.*\n.*--from and --to must be given together/,
      ],
      [
        [good, '--dataset', 'traffic', '--type', 'x', '--coarse', 'lastDay', '--url', 'nowhere'],
        /--type.*\n.*--coarse.*\n.*--url/,
      ],
    ];
    const imports = async () =>
      (await world.registry.records.selectFrom('import').select('importId').execute()).length;
    const before = await imports();
    for (const [args, reason] of wrong) await ends(args, 2, reason);
    assert.equal(await imports(), before);
  });

  test('the help lists the exit codes and examples', async () => {
    const help = /Exit codes:[\s\S]* 3 {2}some rows were rejected[\s\S]*Examples:/;
    await ends(['--help'], 0, help);
  });
});
