/**
 * The commands of the operator and of users: what each sends, prints and exits with, and what its
 * help says. Commands run in this process against a world of their own.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { runVitrine } from '../../test/commandLine.ts';
import { openWorld, type Tenant, type World } from '../../test/harness.ts';
import { importRows, lines } from '../../test/imports.ts';
import { level, slow } from '../../test/level.ts';
import { rowsOf } from '../../test/table.ts';
import { grant, visit } from '../../test/visitors.ts';
import { programOf, subjects } from './program.ts';
import { tableOf } from './table.ts';

const token = 'operator-token-of-the-tests';
const history =
  'Date,USD,JPY,GBP,AUD,SEK,\n2026-01-02,1.1,160,0.85,1.7,11,\n2026-01-05,1.2,161,0.86,1.8,12,\n';

/** Runs an HTTP server for the length of a test. */
async function serving(
  listener: RequestListener,
  run: (address: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function closedAddress(): Promise<string> {
  const gone = Promise.withResolvers<string>();
  await serving(
    () => undefined,
    async (listening) => gone.resolve(listening),
  );
  return await gone.promise;
}

let world: World;
let address: string;
const folder = mkdtempSync(join(tmpdir(), 'vitrine-commands-'));

before(async () => {
  world = await openWorld('embedded');
  address = await world.server.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

type How = { readonly input?: string; readonly environment?: Readonly<Record<string, string>> };

/** Runs a command as the operator of the world. */
async function vitrine(words: string, { input = '', environment = {} }: How = {}) {
  const service = { VITRINE_DATA: folder, VITRINE_PUBLIC_URL: address };
  const ours = { ...service, VITRINE_OPERATOR_TOKEN: token, TMPDIR: folder };
  return await runVitrine(wordsOf(words), { input, environment: { ...ours, ...environment } });
}

/** Runs something in another time zone, which is that of the whole process. */
async function inZone<T>(zone: string, run: () => Promise<T>): Promise<T> {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    return await run();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}

/** Expects the command to succeed and returns its standard output. */
async function done(words: string, how?: How): Promise<string> {
  const { code, out, error } = await vitrine(words, how);
  assert.equal(code, 0, `${words}: ${error}`);
  return out;
}
/** Expects the command to succeed, and matches its standard output. */
const prints = async (words: string, pattern: RegExp) => assert.match(await done(words), pattern);
/** Expects the command to fail, and matches its standard error. */
async function fails(words: string, pattern: RegExp, exitCode?: number): Promise<void> {
  const { code, error } = await vitrine(words);
  assert.match(error, pattern);
  if (exitCode === undefined) assert.notEqual(code, 0, words);
  else assert.equal(code, exitCode, words);
}
const json = async (words: string) => JSON.parse(await done(`${words} --json`));
const organisation = async (): Promise<string> =>
  (await world.operate('POST', '/operator/organisations', { name: 'Acme' })).organisationId;
const statusOf = async (path: string) => (await world.operator('GET', `/operator/${path}`)).status;

describe('the command line', () => {
  test('an organisation is created, shown, changed and deleted; a new id is alone on standard output', async () => {
    const made = await vitrine('organisations create --name "Acme Ltd" --plan standard');
    assert.deepEqual([made.code, made.error], [0, 'Organisation created. Its id:\n']);
    const organisationId = made.out.trim();
    const held = await world.operate('GET', `/operator/organisations/${organisationId}`);
    const expected = ['Acme Ltd', 'standard', true, true];
    assert.deepEqual([held.name, held.plan, held.apiAccess, held.searchQueryPerformance], expected);
    assert.deepEqual(await json(`organisations show ${organisationId}`), held);
    const options = '--plan enterprise --no-api-access --search-query-product-max 7';
    await prints(
      `organisations change ${organisationId} ${options}`,
      /^name +Acme Ltd\nplan +enterprise\napi access +no\nsearch query performance +yes\nsearch query product max +7\ncreated +2026-01-15T\d\d:00$/m,
    );
    const unconfirmed = /cannot be undone, and there is no terminal to ask on: add --yes/;
    await fails(`organisations delete ${organisationId}`, unconfirmed, 2);
    assert.equal(await statusOf(`organisations/${organisationId}`), 200);
    assert.equal(await done(`organisations delete ${organisationId} --yes`), '');
    const gone = { code: 1, out: '', error: 'there is no such organisation\n' };
    assert.deepEqual(await vitrine(`organisations show ${organisationId}`), gone);
  });

  test('a password comes from standard input only', async () => {
    const organisationId = await organisation();
    const create = `users create --organisation ${organisationId} --email ann@example.com --role member`;
    await fails(`${create} --password "correct horse"`, /unknown option '--password'/);
    await fails(`${create} --password-stdin`, /there is no password on standard input/);
    const input = 'correct horse battery\n';
    const userId = (await done(`${create} --password-stdin --quiet`, { input })).trim();
    const accounts = world.registry.records.selectFrom('userAccount').select('passwordHash');
    const [account] = await accounts.where('userId', '=', userId).execute();
    assert.match(account!.passwordHash!, /^\$argon2id\$/);
    const channelId = await world.channel(organisationId, 'of-the-users');
    assert.deepEqual((await json(`users grant ${userId} ${channelId}`)).channelIds, [channelId]);
    await prints(`users grant ${userId} --none`, /^channel ids +none$/m);
    const ofAdministrator = /^role +administrator\nchannel ids +all$/m;
    await prints(`users change ${userId} --role administrator`, ofAdministrator);
    const expected = await world.operate('GET', `/operator/users?organisationId=${organisationId}`);
    assert.deepEqual(await json(`users list --organisation ${organisationId}`), expected);
    await done(`users delete ${userId} --yes`);
    assert.equal(await statusOf(`users/${userId}`), 404);
  });

  test('a password link is printed alone, and a user is signed out everywhere', async () => {
    const { userId } = await world.tenant();
    const issued = await inZone('UTC', () => vitrine(`users link ${userId}`));
    assert.match(issued.out, /^http:\/\/vitrine\.test\/console\/password#vit_link_[\w-]{43}\n$/);
    assert.match(
      issued.error,
      /^Send this link \(invitation\) to the user. It works once, until 2026-01-22T12:\d\d/,
    );
    const [, token] = issued.out.trim().split('#');
    const visitor = visit(world);
    const chosen = { token, newPassword: 'correct horse battery' };
    const used = await visitor.ask('PUT', '/account/passwordLink', chosen);
    assert.equal(used.status, 200);
    await prints(`users show ${userId}`, /^has password +yes$/m);
    const briefly = `users link ${userId} --valid-seconds 60 --purpose invitation`;
    const quiet = await vitrine(`${briefly} --quiet`);
    assert.deepEqual([quiet.code, quiet.error, quiet.out.split('#').length], [0, '', 2]);
    await fails(`users sign-out ${userId}`, /add --yes/);
    assert.equal((await visitor.ask('GET', '/account/session')).status, 200);
    await done(`users sign-out ${userId} --yes`);
    assert.equal((await visitor.ask('GET', '/account/session')).status, 401);
    assert.equal((await vitrine('users link nobody')).error, 'there is no such user\n');
  });

  test('a key is printed once, alone on standard output', async () => {
    const { userId } = await world.tenant();
    const issued = await vitrine(`keys issue --user ${userId} --per-second 5 --burst 10`);
    assert.match(issued.out, /^vit_\S+\n$/);
    assert.match(issued.error, /^Key \S+ issued\. Copy it now: it will not be shown again\.\n$/);
    assert.equal((await world.ask(issued.out.trim(), 'POST', '/channels', {})).status, 200);
    const keyId = issued.error.split(' ')[1]!;
    const quiet = await vitrine(`keys rotate ${keyId} --quiet`);
    assert.match(quiet.out, /^vit_\S+\n$/);
    assert.equal(quiet.error, '');
    assert.equal((await world.ask(issued.out.trim(), 'POST', '/channels', {})).status, 403);
    const issuedAs = await json(`keys issue --user ${userId}`);
    assert.deepEqual(Object.keys(issuedAs), ['keyId', 'key']);
    const untilNoon = `keys change ${issuedAs.keyId} --per-day 7 --expires-at 2026-02-01T12:00`;
    await inZone('America/New_York', () => done(untilNoon));
    const held = await world.operate('GET', `/operator/keys/${issuedAs.keyId}`);
    const expected = [{ perSecond: 10, burst: 20, perDay: 7 }, Date.UTC(2026, 1, 1, 17) / 1000];
    assert.deepEqual([held.limits, held.expiresAt], expected);
    await done(`keys change ${issuedAs.keyId} --expires-at never`);
    assert.equal((await world.operate('GET', `/operator/keys/${issuedAs.keyId}`)).expiresAt, null);
    await done(`keys change ${issuedAs.keyId} --name "Nightly reports"`);
    await done(`keys revoke ${issuedAs.keyId} --yes`);
    const listed = await done(`keys list --user ${userId}`);
    const hint = `\\.{3}${issuedAs.key.slice(-4)}`;
    const row = new RegExp(`^${issuedAs.keyId} +Nightly reports +${hint} +revoked +-`, 'm');
    assert.match(listed, row);
    assert.match(listed, /^key id +name +key +state +last used/);
    assert.ok(!listed.includes('vit_') && !(await done(`keys show ${keyId}`)).includes('vit_'));
    await fails(`keys change ${keyId} --expires-at soon`, /Expected a time such as/);
  });

  test('a channel is connected, and later saves keep what they do not name', async () => {
    const organisationId = await organisation();
    const missing = await vitrine('channels save new-one --organisation x --kind seller');
    const fields = 'merchantId marketplace countryCode displayName currency timezone';
    const required = `${fields} hasAdvertisingConnected`.split(' ');
    assert.equal(missing.code, 1);
    assert.deepEqual(missing.error.split('\n'), [
      'organisationId must be that of an organisation',
      ...required.map((field) => `${field} is required`),
      '',
    ]);
    await done(
      `channels save new-one --organisation ${organisationId} --merchant "M1 @ EU" --marketplace primarymkt --kind vendor --country-code de ` +
        '--display-name "株式会社 DE" --currency eur --timezone Europe/Berlin --no-has-advertising-connected --lead-time-days 7',
    );
    const first = await world.operate('GET', '/operator/channels/new-one');
    const days = { leadTimeDays: 7, safetyStockDays: 14, targetCoverDays: 60 };
    assert.deepEqual(first.replenishment, days);
    assert.equal(first.hasAdvertisingConnected, false);
    const noCurrency = /^currency must be a currency code of ISO 4217\n$/;
    await fails('channels save new-one --currency ecu', noCurrency, 1);
    const second = await json('channels save new-one --target-cover-days 90 --currency usd');
    const replenishment = { ...days, targetCoverDays: 90 };
    assert.deepEqual(second, { ...first, currency: 'USD', replenishment });
    await world.channel(organisationId, 'new-two', { displayName: 'Plain' });
    const list = `channels list --organisation ${organisationId}`;
    assert.equal(
      await done(list, { environment: { COLUMNS: '50' } }),
      textOf(`
        channel id  name         kind    country  currency
        new-one     株式会社 DE  vendor  DEU      USD
        new-two     Plain        seller  USA      USD
      `),
    );
    await done('channels delete new-one --yes');
    assert.equal(await statusOf('channels/new-one'), 404);
  });

  test('a campaign group is created, replaced in part and deleted', async () => {
    const organisationId = await organisation();
    const brand = `--organisation ${organisationId} --name Brand --campaigns 102 101`;
    await done(`campaign-groups save brand ${brand}`);
    const renamed = await json('campaign-groups save brand --name "Brand defence"');
    assert.deepEqual([renamed.name, renamed.campaignIds], ['Brand defence', ['101', '102']]);
    const listed = await world.operate('GET', '/operator/campaignGroups');
    assert.deepEqual(await json('campaign-groups list'), listed);
    await prints('campaign-groups show brand', /^campaign ids +101, 102$/m);
    await done('campaign-groups delete brand --yes');
    await prints('campaign-groups list', /^$/);
  });

  test('financial codes are set, explained, listed and removed, with the effect on past imports', async () => {
    const again =
      'Documents that were imported earlier stay as they are booked: import them again to book them again.\n';
    const names = '--source settlement --component ItemFees --code "Novel Fee|Other*"';
    const set = await vitrine(`codes set ${names} --line shippingFees`);
    assert.deepEqual([set.code, set.error], [0, again]);
    assert.match(
      set.out,
      /^source +settlement\ntype +\*\ncomponent +ItemFees\ncode +Novel Fee\|Other\*\nline +shippingFees\norigin +own\ncreated +2026-01-15T/,
    );
    const { financeCodes, total } = await json('codes list');
    const expected = ['Novel Fee|Other*', 'own', total];
    assert.deepEqual([financeCodes[0].code, financeCodes[0].origin, financeCodes.length], expected);
    const list = 'codes list --source settlement --line shippingFees';
    const path = '/operator/financeCodes?source=settlement&line=shippingFees';
    assert.deepEqual(await json(list), await world.operate('GET', path));
    const listed = await done(list, { environment: { COLUMNS: '90' } });
    assert.match(
      listed,
      /^line +origin +source +type +component +code\nshippingFees {2}own +settlement {2}\* +ItemFees/,
    );
    const explain = 'codes explain --source settlement --type Order --component ItemFees --code';
    await prints(
      `${explain} "novel fee"`,
      /^source "settlement", .*, code "novel fee"\n[\s\S]*^code +Novel Fee\|Other\*\nline +shippingFees\norigin +own$/m,
    );
    assert.equal(
      await done(`${explain} unheard-of`),
      'No code matches source "settlement", type "Order", component "ItemFees", code "unheard-of": credits count as otherIncome, debits as otherExpenses. Change this with "vitrine codes set".\n',
    );
    await fails(
      `codes remove ${names}`,
      /code of financial documents \(settlement, ItemFees, Novel Fee\|Other\*\)" cannot be undone/,
      2,
    );
    const removed = await vitrine(`codes remove ${names} --yes`);
    assert.deepEqual([removed.code, removed.out], [0, '']);
    assert.match(removed.error, /until you import them again\.\n$/);
    assert.equal((await json(`${explain} "novel fee"`)).line, null);
    const shipped = /^shipped codes cannot be deleted: save/;
    await fails('codes remove --source returns --code * --yes', shipped, 1);
    assert.equal((await vitrine('codes set --source bank --code x --line sales')).code, 2);
    const noCode = /required option '--code <code>' not specified/;
    await fails('codes set --source settlement --line sales', noCode);
  });

  test('imports, rejected rows, freshness, documents, usage and audit are as the API answers them', async () => {
    const { channelId, key } = await world.tenant();
    const rows = '{"date":"2026-01-01","pageViews":1}\n'.concat(
      '{"date":"2026-01-01","pageViews":"}},{\\"line\\":9"}\n'.repeat(1_002),
    );
    const importing = `import - --dataset traffic --channel ${channelId} --json`;
    const imported = await vitrine(importing, { input: rows });
    const { importId } = JSON.parse(imported.out);
    await world.ask(key, 'POST', '/channels', {});
    const same = {
      [`imports list --channel ${channelId}`]: `imports?channelId=${channelId}`,
      [`imports show ${importId}`]: `imports/${importId}`,
      [`imports rejected ${importId}`]: `imports/${importId}/rejected`,
      [`freshness ${channelId}`]: `freshness?channelId=${channelId}`,
      documents: 'documents',
      usage: 'usage',
      [`audit --subject ${channelId}`]: `audit?subject=${channelId}`,
    };
    for (const [words, path] of Object.entries(same))
      assert.deepEqual(await json(words), await world.operate('GET', `/operator/${path}`), words);
    const refused = await vitrine(`imports rejected ${importId}`);
    assert.equal(refused.out.trimEnd().split('\n').length, 1 + 1_000);
    assert.match(refused.out, /^ +line {2}reason\n +2 {2}pageViews must be/);
    assert.match(refused.error, /^The service keeps the first 1,000 rejected rows/);
    const all = await json('freshness');
    assert.equal(all[0].channelId, null);
    const ofChannel = all.find((one: { channelId: string }) => one.channelId === channelId);
    const path = `/operator/freshness?channelId=${channelId}`;
    assert.deepEqual(ofChannel, await world.operate('GET', path));
    const pattern = new RegExp(`^${channelId} +traffic +2026-01-01 +2026-01-01 +1 +0`, 'm');
    await prints(`freshness ${channelId}`, pattern);
    const fields = /^name +required +kind +meaning\ndate +yes/;
    await prints('documents --fields exchangeRates', fields);
    assert.equal((await vitrine('documents --fields nothing')).code, 2);
  });

  test('tax rates are saved as they are typed; freshness and doctor say what is missing', async () => {
    const germany = { merchantId: 'A1 @ A1PA6795UKMFR9', countryCode: 'DE', currency: 'EUR' };
    const { channelId } = await world.tenant({ channel: { ...germany, timezone: 'UTC' } });
    const taxes = `channels taxes ${channelId}`;
    const missing = /prices whose tax|states the tax of orders, 2025-03-01 to 2025-03-02\.$/m;
    const input = [
      ['amazon-order-id', 'purchase-date', 'order-status', 'sku', 'quantity', 'currency'],
      ['A', '2025-03-01T10:00:00Z', 'Shipped', 'S', '1', 'EUR'],
      ['B', '2025-03-02T10:00:00Z', 'Shipped', 'S', '1', 'EUR'],
    ];
    const more = [
      ['item-price', 'item-tax', 'last-updated-date'],
      ...['1', '2'].map((price) => [price, '', '2025-03-03T10:00:00Z']),
    ];
    const orders = input.map((cells, at) => [...cells, ...more[at]!].join('\t')).join('\n');
    await done(`import - --channel ${channelId}`, { input: orders });
    const stated = async () => {
      const { out, error } = await vitrine(taxes);
      const fresh = (await vitrine(`freshness ${channelId}`)).error;
      const found = (await json('doctor')).findings as { subject: string; finding: string }[];
      const doctor = found.some(
        ({ subject, finding }) =>
          subject === 'taxes' && finding.endsWith(`no document states: ${channelId}`),
      );
      return [out, missing.test(error), /"vitrine channels taxes"/.test(fresh), doctor];
    };
    assert.deepEqual(await stated(), ['', true, true, true]);
    for (const [options, code, said] of [
      ['--rate 19,5', 2, /--rate 19,5 must be a percentage with a point/],
      ['--rate BOOK=', 2, /--rate BOOK= must be a percentage/],
      ['--rate 19 --none', 2, /exclude each other/],
      ['--rate 19 101', 1, /^--rate 101: its percentage must be at most 100$/m],
      ['--rate S=7@2024-13-01', 1, /^--rate S=7@2024-13-01: its date must be a date/m],
      [
        '--rate 19 7@1970-01-01',
        1,
        /^--rate 7@1970-01-01: its date must differ from that of --rate 19:/m,
      ],
      ['--rate 1.23456', 1, /^--rate 1.23456: its percentage must have at most 4 decimal places$/m],
      ['--rate 19% S=7@2025-03-02', 0, /^$/],
    ] as const) {
      const { code: ended, error } = await vitrine(`${taxes} ${options}`);
      assert.deepEqual([ended, said.test(error)], [code, true], `${options}: ${error}`);
    }
    const table = 'sku  rate  effective from\n-      19  1970-01-01\nS       7  2025-03-02\n';
    assert.deepEqual(await stated(), [table, false, false, false]);
    await done(`channels save ${channelId} --prices-include-tax no`);
    const { error } = await vitrine(`freshness ${channelId}`);
    assert.match(
      error,
      /2025-03-01 to 2025-03-02: The prices of 2 order lines .* Imports: \d+\.$/m,
    );
    const { code } = await vitrine('doctor --strict');
    assert.equal(code, 4);
    await done(`channels save ${channelId} --prices-include-tax default`);
    assert.equal((await json(`channels show ${channelId}`)).pricesIncludeTax, null);
    await fails(`channels save ${channelId} --prices-include-tax maybe`, /yes, no, default/, 2);
  });

  test('imports undo and facts delete say what they would remove, and remove it', async () => {
    const { channelId } = await world.tenant();
    const input = lines(rowsOf('date, pageViews\n2026-01-01, 1\n2026-01-02, 1'));
    const importing = `import - --dataset traffic --channel ${channelId} --json`;
    const imported = await vitrine(importing, { input });
    const { importId } = JSON.parse(imported.out);
    const ofFirst = `facts delete --channel ${channelId} --dataset traffic --from 2026-01-01 --to 2026-01-01`;
    const planned = await vitrine(`${ofFirst} --dry-run`);
    assert.match(planned.out, /^dataset +facts +from +to\ntraffic +1 +2026-01-01 +2026-01-01\n$/);
    assert.equal(planned.error, 'Nothing was changed: 1 fact would be removed.\n');
    assert.equal((await vitrine(ofFirst)).code, 2);
    assert.equal((await vitrine(`${ofFirst} --yes`)).error, 'Removed 1 fact.\n');
    const undone = await json(`imports undo ${importId} --yes`);
    const datasets = [{ dataset: 'traffic', rows: 1, from: '2026-01-02', to: '2026-01-02' }];
    assert.deepEqual(undone, { dryRun: false, rows: 1, datasets });
  });

  test('lists fetch all pages, or the named page, and say when there is more', async () => {
    // The API has such pages; that many entries take long to write.
    const pages: RequestListener = ({ url }, response) => {
      const query = new URL(url!, 'http://pages.test').searchParams;
      const [size, index] = [Number(query.get('pageSize')), Number(query.get('pageIndex'))];
      assert.deepEqual([query.get('subject'), size], ['many', 1_000]);
      const count = Math.max(0, Math.min(size, 20_100 - index * size));
      const entry = { at: 0, actor: 'operator', action: 'test' };
      const ids = Array.from({ length: count }, (_, place) => index * size + place);
      const entries = ids.map((auditId) => ({ auditId, ...entry }));
      response.end(JSON.stringify({ entries, total: 20_100 }));
    };
    await serving(pages, async (other) => {
      const all = await vitrine(`audit --subject many --json --url ${other}`);
      const { entries, total } = JSON.parse(all.out);
      const ids = entries.map((one: { auditId: number }) => one.auditId);
      assert.deepEqual([ids, total], [[...Array(20_000).keys()], 20_100]);
      assert.match(all.error, /^Showing 20,000 of 20,100 rows/);
    });
    const entry = { at: 0, actor: 'operator', action: 'test', subject: 'many', detail: '{}' };
    await world.registry.records.insertInto('auditEntry').values(Array(5).fill(entry)).execute();
    const page = await json('audit --subject many --page 1 --page-size 2');
    const path = '/operator/audit?subject=many&pageIndex=1&pageSize=2';
    assert.deepEqual(page, await world.operate('GET', path));
    assert.deepEqual([page.entries.length, page.total], [2, 5]);
    await fails('audit --subject many --page x', /Expected a whole number/);
  });

  test('each failing rule has its line, and values with commas stay whole', async () => {
    const error = textOf(`
      from must be a date (YYYY-MM-DD)
      to must be a date (YYYY-MM-DD)
      pageSize must be at least 1
    `);
    const refused = await vitrine('usage --from x --to y --page-size 0');
    assert.deepEqual(refused, { code: 1, out: '', error });
    await fails('imports list --state lost', /Allowed choices are running, done, failed/, 2);
    assert.equal((await vitrine('organisations change x')).code, 2);
  });

  test('a refused token and a missing service come with advice; a token stays on this machine', async () => {
    const notAccepted = /^http:\S+ did not accept the operator token: the authorization header/;
    await fails('keys list --token wrong', notAccepted, 1);
    const noService = /^No service answers at http:\S+ Start one with/;
    await fails(`keys list --url ${await closedAddress()}`, noService, 1);
    writeFileSync(join(folder, 'operator-token'), `${token}\n`);
    const withoutToken = { environment: { VITRINE_OPERATOR_TOKEN: '' } };
    assert.equal((await vitrine(`keys list --url ${address}`, withoutToken)).code, 0);
    const elsewhere = await vitrine('keys list --url https://api.example.com', withoutToken);
    assert.match(elsewhere.error, /^No operator token for https:\/\/api\.example\.com/);
    const nowhere = await vitrine('keys list', { environment: { VITRINE_PUBLIC_URL: 'nowhere' } });
    assert.match(nowhere.error, /VITRINE_PUBLIC_URL must be an address/);
    await serving(
      (_request, response) => response.end('<html>'),
      async (other) => {
        await fails(`keys list --url ${other}`, /is not a Vitrine service/);
        assert.match((await vitrine(`doctor --url ${other}`)).out, /is not a Vitrine service/);
      },
    );
    await serving(
      (_request, response) => response.writeHead(307, { location: `${address}/new` }).end(),
      (other) =>
        fails(`keys list --url ${other}`, /^http:\S+ redirects to http:\S+\/new: name the/, 1),
    );
  });

  test('reports wait downloads a report once it is done, with the key of a user', async () => {
    let looks = 0;
    const seen: (string | undefined)[] = [];
    const reports: RequestListener = ({ url, headers }, response) => {
      seen.push(`${headers['x-api-key']} ${headers.authorization}`);
      if (url === '/reports/files/signed/report.csv') return response.end('sku\nA\n');
      if (url === '/reports/status/unknown')
        return response.writeHead(404).end('{"status":"error","error":"there is no such report"}');
      const status = url!.endsWith('failing')
        ? 'errored'
        : (['started', 'inProgress'][looks++] ?? 'done');
      const downloadUrl = 'https://public.example/api/reports/files/signed/report.csv';
      const error = 'there is no exchange rate of XYZ';
      response.end(JSON.stringify(status === 'done' ? { status, downloadUrl } : { status, error }));
    };
    await serving(reports, async (other) => {
      const file = join(folder, 'report.csv');
      const wait = `reports wait r1 --url ${other} --key vit_live_x`;
      const waited = await vitrine(`${wait} --output ${file}`);
      assert.deepEqual(waited, { code: 0, out: '', error: `Report written to ${file}.\n` });
      assert.equal(readFileSync(file, 'utf8'), 'sku\nA\n');
      assert.equal(looks, 3);
      assert.equal(await done(wait), 'sku\nA\n');
      assert.equal((await json(wait)).status, 'done');
      assert.deepEqual([...new Set(seen)], ['vit_live_x undefined']);
      const errored = await vitrine(wait.replace('r1', 'failing'));
      const words = 'The report failed: there is no exchange rate of XYZ\n';
      assert.deepEqual(errored, { code: 1, out: '', error: words });
      const unknown = await vitrine(wait.replace('r1', 'unknown'));
      assert.deepEqual([unknown.code, unknown.error], [1, 'there is no such report\n']);
    });
    await fails('reports wait r1', /--key or VITRINE_KEY/);
  });

  test('trace lists the import and document behind the figures of a day, with the key of a user', async () => {
    const tenant = await world.tenant({ channel: { currency: 'USD', timezone: 'UTC' } });
    const file = join(folder, 'traffic of March.jsonl');
    writeFileSync(file, '{"date":"2025-03-05","pageViews":7,"orderedRevenue":2.5}\n');
    const importing = `import "${file}" --channel ${tenant.channelId} --dataset traffic`;
    const { importId } = await json(importing);
    const words = `trace ${tenant.channelId} traffic 2025-03-05 --key ${tenant.key}`;
    const answer = await json(`${words} --merchant "${tenant.merchantId}"`);
    const expected = [importId, 'traffic of March.jsonl'];
    assert.deepEqual([answer.facts[0].importId, answer.imports[0].document.fileName], expected);
    const text = await done(`${words} --currency XTS`);
    const noRate = /No exchange rate from USD to XTS is known/;
    for (const one of [/traffic_total/, /orderedRevenue 2\.50/, /traffic of March\.jsonl/, noRate])
      assert.match(text, one);
    await prints(words.replace('03-05', '03-06'), /No facts of traffic on 2025-03-06/);
    await fails(words.replace('traffic', 'products'), /^dataset must be /, 1);
    const unknown = await vitrine(words.replace(tenant.channelId, 'nowhere'));
    assert.match(unknown.error, /reaches no channel nowhere/);
    await fails('trace a traffic 2025-03-05', /--key or VITRINE_KEY/);
  });

  test('on a terminal a deletion asks for confirmation', async () => {
    // Part of util-linux: gives the command a terminal.
    const terminal = 'script';
    const organisationId = await organisation();
    const answer = async (typed: string) => {
      const program = fileURLToPath(import.meta.resolve('./vitrine.ts'));
      const command = `"${process.execPath}" "${program}" organisations delete ${organisationId}`;
      const child = spawn(terminal, ['-qec', command, '/dev/null'], {
        env: { ...process.env, VITRINE_OPERATOR_TOKEN: token, VITRINE_PUBLIC_URL: address },
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (!said.includes('Type yes') && (said + text).includes('Type yes'))
          child.stdin.write(typed);
        said += text;
      });
      const [code] = await once(child, 'close');
      return { code, said };
    };
    const no = await answer('no\r');
    assert.deepEqual([no.code, /Nothing was changed/.test(no.said)], [1, true], no.said);
    assert.equal(await statusOf(`organisations/${organisationId}`), 200);
    if (level === 'deep') {
      const left = await answer('\u0003');
      assert.equal(left.code, 1, left.said);
    }
    assert.equal((await answer('yes\r')).code, 0);
    assert.equal(await statusOf(`organisations/${organisationId}`), 404);
  });
});

// Before the examples of the help, which import rates and write files in deep tests.
describe('vitrine rates and doctor', () => {
  test('rates are imported from an address and from a file, and listed', async () => {
    const advice =
      'There are no rates for 2026-01-04. Run "vitrine rates update" to import them.\n';
    const none = await vitrine('rates --date 2026-01-04');
    assert.deepEqual(none, { code: 0, out: '', error: advice });
    await serving(
      (request, response) =>
        request.url === '/hist.csv' ? response.end(history) : response.writeHead(404).end(),
      async (source) => {
        const updated = await vitrine(`rates update --source ${source}/hist.csv`);
        assert.match(
          updated.out,
          /^hist\.csv: referenceRates .*\n.* 10\n.* 10\n.* 0\n.*2026-01-02 to 2026-01-05\n$/,
          updated.error,
        );
        const missing = await vitrine(`rates update --source ${source}/gone.zip`);
        assert.deepEqual([missing.code, missing.out], [1, '']);
        assert.match(
          missing.error,
          /Could not download \S+gone\.zip: the server answered 404\. Nothing was imported\./,
        );
      },
    );
    await fails(
      `rates update --source ${await closedAddress()}/hist.csv`,
      /Could not download \S+hist\.csv: ECONNREFUSED\. Nothing was imported\. Download the file yourself/,
    );
    const listed = await vitrine('rates --date 2026-01-04 --currency gbp');
    assert.equal(
      listed.out,
      'currency  per euro  date        source\nGBP           0.85  2026-01-02  published\n',
    );
    const expected = await world.operate('GET', '/operator/rates?date=2026-01-05');
    assert.deepEqual(JSON.parse((await vitrine('rates --date 2026-01-05 --json')).out), expected);
    const file = join(folder, 'own.csv');
    writeFileSync(file, history.replace('1.2,', 'dear,'));
    const partly = await vitrine(`rates update --source ${file} --json`);
    assert.deepEqual([partly.code, JSON.parse(partly.out).rowsRejected], [3, 1]);
    assert.equal((await vitrine(`rates update --source ${file}.none`)).code, 2);
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('vitrine-rates')));
  });

  test('doctor reports what is fine, warnings and failures, with its exit code', async () => {
    const findingsOf = async (words: string, environment: Record<string, string> = {}) => {
      const { code, out } = await vitrine(`${words} --json`, { environment });
      const { state, findings } = JSON.parse(out) as {
        state: string;
        findings: { subject: string; state: string; advice: string | null }[];
      };
      for (const finding of findings)
        assert.equal(finding.advice === null, finding.state === 'well', JSON.stringify(finding));
      const states = findings.map((finding) => [finding.subject, finding.state]);
      return { code, state, states: Object.fromEntries(states) };
    };
    world.clock.now = Date.now();
    await world.operator('PUT', '/operator/channels/none', {});
    const well = await findingsOf('doctor');
    assert.equal(well.code, 0);
    for (const one of 'Node here,configuration here,service,stores,token,clocks'.split(','))
      assert.equal(well.states[one], 'well', one);
    const { findings } = await world.operate('GET', '/operator/diagnosis');
    const expected = findings.map((finding: { subject: string }) => finding.subject);
    assert.deepEqual(Object.keys(well.states).slice(6), expected);

    const rates = findings.find(({ subject }: { subject: string }) => subject === 'exchange rates');
    assert.match(rates.advice, /^Run "vitrine rates update"/);

    world.clock.now = Date.now() - 3_600_000;
    const warned = await findingsOf('doctor');
    assert.deepEqual([warned.code, warned.state, warned.states.clocks], [0, 'warning', 'warning']);
    const text = await vitrine('doctor --strict');
    assert.equal(text.code, 4);
    assert.match(
      text.out,
      /^WARNING +clocks +the service is 36\d\d s behind this machine\n {2}-> Synchronise both/m,
    );

    const wrong = await findingsOf('doctor --token wrong');
    const { states: ofWrong } = wrong;
    assert.deepEqual([wrong.code, ofWrong.token, ofWrong.clocks], [4, 'failed', undefined]);
    const down = await findingsOf(`doctor --url ${await closedAddress()}`);
    const { service, stores } = down.states;
    assert.deepEqual([down.code, service, stores], [4, 'failed', undefined]);
    const unset = await findingsOf('doctor', { DATABASE_URL: 'mysql://x', VITRINE_PORT: 'x' });
    const { 'configuration here': here, service: ofUnset } = unset.states;
    assert.deepEqual([unset.code, here, ofUnset], [4, 'failed', 'well']);
    assert.ok(!readdirSync(folder).includes('secret'));
    const file = join(folder, 'token-in-a-file');
    writeFileSync(file, `${token}\n`);
    const inFile = { VITRINE_OPERATOR_TOKEN: '', VITRINE_OPERATOR_TOKEN_FILE: file };
    const { states } = await findingsOf('doctor', inFile);
    assert.deepEqual([states['configuration here'], states.token], ['well', 'well']);
    rmSync(file);
    const gone = await findingsOf('doctor', inFile);
    assert.equal(gone.states['configuration here'], 'failed');
  });
});

describe('the help of every command', slow, () => {
  let tenant: Tenant;
  const root = fileURLToPath(new URL('../..', import.meta.url));

  before(async () => {
    tenant = await world.tenant();
    writeFileSync(join(folder, 'password.txt'), 'correct horse battery\n');
    for (const name of ['samples', 'src']) symlinkSync(join(root, name), join(folder, name));
  });

  const helpOf = (command: Command) => {
    let help = '';
    const writeOut = (text: string) => {
      help += text;
    };
    command.configureOutput({ writeOut });
    command.outputHelp();
    return help.split('\nExamples:\n') as [about: string, examples: string];
  };

  /** The variables of an example, which stand for records of its own. */
  async function variablesOf(example: string): Promise<Record<string, string>> {
    const organisationId = await organisation();
    const { userId, keyId, key, channelId, merchantId } = await world.tenant();
    const create = '/reports/create/inventoryReplenishment';
    const report = example.includes('$REPORT')
      ? (await world.ask(key, 'POST', create, { channelId, merchantId })).body.reportId
      : '';
    const { operatorId } = example.includes('$OPERATOR_ID')
      ? await world.operate('POST', '/operator/operators', { name: keyId, scopes: ['read'] })
      : { operatorId: '' };
    const jobId = example.includes('$JOB') ? await addWaitingJob(channelId) : '';
    const { importId } = example.includes('$IMPORT')
      ? (await importRows(world, 'products', channelId, [{ sku: 'A' }])).body
      : { importId: '' };
    const ofUser = example.includes('acme-us') ? tenant.userId : userId;
    return {
      ORGANISATION: example.includes(' save ') ? tenant.organisationId : organisationId,
      USER_ID: ofUser,
      KEY_ID: keyId,
      OPERATOR_ID: operatorId,
      JOB: jobId,
      IMPORT: String(importId),
      KEY: example.includes('acme-us') ? tenant.key : key,
      REPORT: report,
      TOKEN: token,
    };
  }

  /** The records that examples name: some grant a channel that others delete. */
  async function makeRecords(): Promise<void> {
    const { organisationId, userId } = tenant;
    await grant(world, userId, 'all');
    for (const channelId of ['acme-us', 'acme-de', 'northwind-us'])
      await world.channel(organisationId, channelId, { merchantId: 'A1ACME @ ATVPDKIKX0DER' });
    const group = { organisationId, name: 'Brand', campaignIds: ['101'] };
    await world.operate('PUT', '/operator/campaignGroups/brand-defence', group);
  }

  /** Adds a job that no worker takes, because its lease never ends. */
  async function addWaitingJob(channelId: string): Promise<string> {
    const { channelNumber, organisationId } = await world.registry.records
      .selectFrom('channel')
      .select(['channelNumber', 'organisationId'])
      .where('channelId', '=', channelId)
      .executeTakeFirstOrThrow();
    const jobId = randomUUID();
    const job = { jobId, kind: 'report', channelNumber, organisationId, state: 'waiting' } as const;
    const untaken = { payload: '{}', attempts: 0, leaseUntil: 8_000_000_000_000 };
    const { records } = world.registry;
    await records
      .insertInto('job')
      .values({ ...job, ...untaken, owner: '', createdAt: 0 })
      .execute();
    return jobId;
  }

  /** Runs an example as a shell would, in a folder with what a clone holds. */
  async function run(example: string): Promise<void> {
    const [, line, file] = /^\$ vitrine (.*?)(?: [<>] ([\w./-]+))?$/.exec(example)!;
    const values = await variablesOf(example);
    const words = wordsOf(line!).map((word) => {
      if (word.startsWith('$')) return values[word.slice(1)] ?? assert.fail(example);
      if (word === 'http://127.0.0.1:8080') return address;
      const isFile = /^(?:samples|src|backups|exports)\/|^report\.csv$/.test(word);
      return isFile ? join(folder, word) : word;
    });
    const input = example.includes(' < ') ? readFileSync(join(folder, file!), 'utf8') : '';
    const ours = { VITRINE_OPERATOR_TOKEN: token, VITRINE_PUBLIC_URL: address };
    const environment = { VITRINE_DATA: folder, ...ours };
    const { code, error } = await runVitrine(words, { input, environment });
    const isUnconfirmed = /cannot be undone, and there is no terminal/.test(error);
    const hasNoStores =
      /There are no stores in|is no whole backup|must name the stores to move into/.test(error);
    assert.ok(
      code === 0 ||
        (code === 1 && hasNoStores) ||
        (code === 2 && isUnconfirmed) ||
        (code === 4 && line!.startsWith('doctor')),
      `${example}: ${code} ${error}`,
    );
  }

  for (const subject of Object.keys(subjects)) {
    test(`${subject}: a description, exit codes, and examples, which work`, async () => {
      if (level === 'deep') await makeRecords();
      const program = await programOf([subject]);
      for (const command of leavesOf(program.commands.find((one) => one.name() === subject)!)) {
        const [about, examples] = helpOf(command);
        assert.notEqual(command.description(), '');
        if (subject === 'serve') continue;
        assert.match(about, /Exit codes:/, command.name());
        for (const example of examples.trim().split(/\n\s*/)) {
          for (const [, name] of example.matchAll(/"\$([A-Z_]+)"/g))
            assert.ok(about.includes(`$${name} is `), `${example}: ${name}`);
          // The bank is on the internet.
          if (level === 'deep' && example !== '$ vitrine rates update') await run(example);
        }
      }
    });
  }

  test('names the program as it was started', async () => {
    const helpBy = (npm_lifecycle_event: string) =>
      done('keys issue --help', { environment: { npm_lifecycle_event } });
    assert.match(await helpBy('vitrine'), /\$ npm run --silent vitrine -- keys issue --user/);
    assert.match(await helpBy('test'), /\$ vitrine keys issue --user/);
  });
});

test('a table too wide for the terminal drops columns, then cuts texts, then the widest columns', () => {
  const rows = [
    { id: 'a-1', name: 'ムラサキウサギ', note: 'kept', count: 12_345 },
    { id: 'b-2', name: 'plain\u001b[31m\nred', note: null, count: 7 },
  ];
  const columns = [
    'id',
    { field: 'name', canCut: true },
    'count',
    { field: 'note', canDrop: true },
  ] as const;
  const tables = {
    40: `
      id   name             count  note
      a-1  ムラサキウサギ  12,345  kept
      b-2  plain [31m red       7  -
    `,
    28: `
      id   name             count
      a-1  ムラサキウサギ  12,345
      b-2  plain [31m red       7
    `,
    25: `
      id   name           count
      a-1  ムラサキウ…   12,345
      b-2  plain [31m …       7
    `,
  };
  for (const [width, expected] of Object.entries(tables))
    assert.equal(`${tableOf(rows, columns, Number(width))}\n`, textOf(expected), width);
});

/** The lines of a text, without the spaces that set them in. */
const textOf = (text: string) => `${text.trim().replaceAll(/\n +/g, '\n')}\n`;

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** The words of a command line, split as a shell would. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}
