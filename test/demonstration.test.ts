/**
 * The demonstration is there after the first start, has facts behind every operation, and is what
 * README, guides, recipes and clients show. All tests but the deep ones import the last 90 days of
 * two of its channels; their figures are the same as in the whole.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type Demonstration,
  type DemonstrationParts,
  fillDemonstration,
} from '../demonstration/demonstration.ts';
import { exampleRequest, introduce } from '../demonstration/introduction.ts';
import { kitchenGroupId } from '../demonstration/organisation.ts';
import { plans } from '../demonstration/plans.ts';
import { localDay } from '../src/calendar/period.ts';
import type { Importer } from '../src/import/importer.ts';
import { between, planOf } from './business.ts';
import { checkClients } from './clients.ts';
import { checkFacts } from './demonstrationFacts.ts';
import { unexplainedFields } from './demonstrationFields.ts';
import {
  type Documented,
  documents,
  type Example,
  exampleRunner,
  documentedTime as now,
  openDocumented,
  openServices,
  openShell,
  readContractExamples,
  readExamples,
} from './guides.ts';
import type { World } from './harness.ts';
import { deepTest, level, slow } from './level.ts';
import { checkRecipes } from './recipes/recipes.ts';
import { recordsOf } from './records.ts';
import { signIn } from './visitors.ts';

// The demonstration is filled once, for the checks of its facts and for the documents' examples.
const config = { secret: 'secret-of-the-tests', environment: 'production' as const };
const us = planOf('northwind-us');
const vendor = planOf('northwind-vendor-us');
/** The channels whose facts are imported. */
const imported = level === 'deep' ? plans : [us, vendor];
/** The documents whose requests are sent as printed, in tests that are not deep. */
const requested = ['docs/guides/first-request.md', 'README.md'];

let service: Documented | undefined;
let services: Awaited<ReturnType<typeof openServices>> | undefined;
let world: World;
let demonstration: Demonstration;

const progress: string[] = [];

async function open(): Promise<void> {
  service = await openDocumented(level === 'deep' ? fillInterrupted : fillPart);
  ({ world, demonstration } = service);
  if (level === 'deep') services = await openServices(service);
}

const fillPart = (parts: DemonstrationParts) =>
  fillDemonstration({
    ...parts,
    part: { channelIds: imported.map(({ channelId }) => channelId), days: 90 },
    onProgress: (line) => progress.push(line),
  });

async function fillInterrupted(parts: DemonstrationParts): Promise<Demonstration> {
  let imports = 0;
  const dying: Pick<Importer, 'import'> = {
    import: async (input, body) => {
      if (++imports > 3) throw new Error('the process has ended');
      return parts.importer.import(input, body);
    },
  };
  await assert.rejects(fillDemonstration({ ...parts, importer: dying }), /the process has ended/);
  // The next start is a day later.
  const later = { now: now + 86_400_000, onProgress: (line: string) => progress.push(line) };
  return fillDemonstration({ ...parts, ...later });
}

/** Starts once more, with nothing to import. */
function startAgain(more: Partial<DemonstrationParts> = {}): Promise<Demonstration> {
  const { registry, warehouse } = world;
  const importer = { import: () => Promise.reject(new Error('nothing is to be imported')) };
  return fillDemonstration({ registry, warehouse, importer, config, now, ...more });
}

/** Sends a request with the printed key, and expects 200. */
// biome-ignore lint/suspicious/noExplicitAny: each test states the shape that it expects.
async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
  const answer = await world.ask(demonstration.key, method, path, body);
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function checkStart(): void {
  test('vendor sales are filled, and targets for this year and the next', async () => {
    const { reportOptions } = exampleRequest(demonstration);
    const { channelId, merchantId } = vendor;
    const body = { channelId, merchantId, reportOptions };
    const sold = await ask('POST', '/reports/view/vendorSalesByPeriod', body);
    for (const row of sold.formattedChartData) {
      between(Number(row.conversionRate), 2, 40, `${row.startTime} conversionRate`);
      between(Number(row.tacosOrderedRevenue), 2, 15, `${row.startTime} tacosOrderedRevenue`);
      assert.ok(row.shippedUnits <= row.shippedUnitsManufacturing);
    }
    const query = new URLSearchParams({
      channelId: us.channelId,
      merchantId: us.merchantId,
      fromDate: String(Date.UTC(2026, 0, 1) / 1000),
      toDate: String(Date.UTC(2028, 0, 1) / 1000 - 1),
      timezone: 'UTC',
      interval: 'month',
    });
    const targets = await ask('GET', `/targets?${query}`);
    assert.equal(targets.data.length, 24);
    for (const row of targets.data) assert.ok(row.salesBudget > 0 && row.adSpendBudget > 0);
  });

  test('there is a group of products and a group of campaigns', async () => {
    const query = new URLSearchParams({ channelId: us.channelId, merchantId: us.merchantId });
    const { groups } = await ask('GET', `/customGroups?${query}`);
    const found = groups.map((group: { groupName: string }) => group.groupName);
    assert.deepEqual(found, ['Bottles', 'Brands besides our own']);
    const { group } = await ask('GET', `/customGroups/${groups[0].groupId}?${query}`);
    assert.equal(group.products.length, 4);
    const campaignGroupId = kitchenGroupId;
    const campaigns = await recordsOf(world, 'campaignGroupCampaign', { campaignGroupId });
    // Two campaigns in the first channel, one in each of the others.
    assert.equal(campaigns.length, 7);
  });

  test('owner and member sign in with the printed passwords and see their own data', async () => {
    const [owner, member] = demonstration.users;
    assert.match(owner!.password!, /^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    assert.notEqual(member!.password, owner!.password);
    const byOwner = await signIn(world, owner!.email, { password: owner!.password! });
    const { keys, apiAccess, channels } = await byOwner.get('/account/access');
    assert.deepEqual([keys.length, apiAccess, channels], [2, true, plans.length]);
    const { grants, madeFrom } = keys[1];
    assert.deepEqual([grants, madeFrom], [['figures'], keys[0].keyId]);
    const revealed = await byOwner.ask('POST', `/account/keys/${keys[0].keyId}/reveal`);
    assert.equal(revealed.body.key, demonstration.key);
    const byMember = await signIn(world, member!.email, { password: member!.password! });
    const access = await byMember.get('/account/access');
    const expected = [[], 2, [owner!.email]];
    assert.deepEqual([access.keys, access.channels, access.administrators], expected);
  });

  deepTest('a password that a user has changed stays and is not printed', async () => {
    const [owner, ...others] = demonstration.users;
    const path = `/operator/users/${owner!.userId}`;
    await world.operate('PATCH', path, { password: 'chosen by a visitor' });
    const again = await startAgain();
    assert.deepEqual(again.users, [{ ...owner, password: undefined }, ...others]);
    const text = introduce(again, { ...place, isTerminal: true });
    const advice = `(changed; reset it: npm run vitrine -- users link ${owner!.userId})`;
    assert.ok(text.includes(`${owner!.email}  ${advice}`));
    await world.operate('PATCH', path, { password: owner!.password });
  });

  test('the next start finds it with the same key, and imports nothing', async () => {
    assert.equal(progress[0], 'Creating demonstration data (once) ...');
    assert.deepEqual(await startAgain({ now: now + 5 * 86_400_000 }), demonstration);
  });

  deepTest('other keys change nothing; another secret brings another key', async () => {
    for (const days of [-1, 3]) {
      world.clock.now = now + days * 86_400_000;
      const { userId } = demonstration.users[0]!;
      const { keyId } = await world.operate('POST', '/operator/keys', { userId });
      assert.equal((await startAgain()).key, demonstration.key);
      await world.operate('DELETE', `/operator/keys/${keyId}`);
    }
    world.clock.now = now;
    // A key sealed with another secret cannot be opened, so a new one is issued; the passwords
    // derived from the old secret are unknown.
    const other = { config: { ...config, secret: 'another-secret-of-the-tests' } };
    const reissued = await startAgain(other);
    assert.notEqual(reissued.key, demonstration.key);
    const found = reissued.users.map(({ password }) => password);
    assert.deepEqual(found, [undefined, undefined, undefined]);
    assert.equal((await startAgain(other)).key, reissued.key);
    assert.equal((await startAgain()).key, demonstration.key);
  });

  test('sales by period are filled for every seller channel', async () => {
    for (const { channelId, merchantId, timezone, currency, hasTraffic, kind } of imported) {
      const reportOptions = { ...exampleRequest(demonstration).reportOptions, timezone };
      const body = { channelId, merchantId, reportOptions: { ...reportOptions, interval: 'd' } };
      const path = '/reports/view/salesByPeriod';
      if (kind === 'vendor') {
        assert.equal((await world.ask(demonstration.key, 'POST', path, body)).status, 400);
        continue;
      }
      const answer = await ask('POST', path, body);
      assert.equal(answer.currency, currency);
      const rows: Record<string, string | number>[] = answer.formattedChartData;
      assert.ok(rows.length >= 30);
      const filled = ['sales', 'unitsSold', ...(hasTraffic ? traffic : [])];
      // The range belongs to the first channel, where days start at another time.
      for (const row of rows.slice(1, -1))
        for (const name of filled)
          assert.ok(Number(row[name]) > 0, `${channelId} ${row.startTime} ${name}`);
    }
  });
  const traffic = ['totalSessions', 'adSpend', 'tacos'];

  test('the introduction shows the key and a request to paste', () => {
    const text = introduce(demonstration, { ...place, isTerminal: true });
    const line = text.split('\n').find((one) => one.startsWith('curl '))!;
    const body = JSON.parse(/-d '(.*)'$/.exec(line)![1]!);
    assert.ok(line.includes(demonstration.key) && !/[^ -~]/.test(line));
    assert.ok(text.includes('Sign in                    http://127.0.0.1:8080/console/\n'));
    for (const { email, password } of demonstration.users)
      assert.ok(text.includes(`${email}  ${password}\n`), text);
    assert.deepEqual(body, exampleRequest(demonstration));
    const yesterday = now / 86_400_000 - 1.5;
    assert.equal(localDay(us.timezone, body.reportOptions.toDate), yesterday);
  });

  test('printed into a log, the introduction names a file for its owner with what is secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-introduction-'));
    try {
      const text = introduce(demonstration, { ...place, dataFolder: folder, isTerminal: false });
      const secrets = [demonstration.key, ...demonstration.users.map(({ password }) => password!)];
      for (const secret of secrets) assert.ok(!text.includes(secret));
      const file = join(folder, 'demonstration.env');
      const written = await readFile(file, 'utf8');
      for (const secret of secrets) assert.ok(written.includes(secret));
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const line = text.split('\n').find((one) => one.includes('curl '))!;
      const sent = execFileSync('bash', ['-c', line.replace('curl', 'echo')], { encoding: 'utf8' });
      assert.ok(sent.includes(`x-api-key: ${demonstration.key}`), sent);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  deepTest('every field of every answer and report varies, or there is a reason', async () => {
    assert.deepEqual(await unexplainedFields(world, demonstration), []);
  });
}

const place = { address: 'http://127.0.0.1:8080', dataFolder: '/data' };

/** Tries the examples of a document, or of the description where it names none. */
function checkExamples(document: string, examples: readonly Example[]): void {
  let run: ReturnType<typeof exampleRunner>;
  before(async () => {
    const target = services?.serviceFor(document) ?? service!;
    run = exampleRunner(openShell(target, await target.folderFor()));
  });
  for (const example of examples) {
    test(`${example.place}: ${example.command.split(/ *\\?\n/, 1)}`, async () => {
      const { difference, isRefused, out } = await run(example);
      assert.equal(difference, undefined, `${example.place}: ${difference}`);
      assert.ok(example.answer || !isRefused, `${example.place} is refused: ${out}`);
    });
  }
}

describe('the demonstration', slow, () => {
  before(open);
  after(async () => {
    await services?.close();
    await service?.close();
  });

  // First, because the others change what is counted.
  describe('its facts', () => checkFacts(() => ({ world, demonstration })));
  describe('its start', checkStart);
  const isTried = ({ command }: Example) => level === 'deep' || command.startsWith('curl ');
  for (const document of level === 'deep' ? documents : requested) {
    const markdown = readFileSync(new URL(`../${document}`, import.meta.url), 'utf8');
    const examples = readExamples(document, markdown).filter(isTried);
    assert.ok(examples.length > 0, document);
    describe(`the examples of ${document}`, () => checkExamples(document, examples));
  }
  if (level === 'deep')
    describe('the examples of the description of the interface', () =>
      checkExamples('', readContractExamples()));
  describe('the recipes', () => checkRecipes(() => service!));
  // Last, because they change what the examples show.
  describe('the clients', () => checkClients(() => service!));
});
