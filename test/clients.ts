/**
 * The clients against a service with the demonstration: every operation has an answer with rows,
 * equal to the printed one, and the READMEs of the clients are right.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lexer } from 'marked';
import { type Settings, Vitrine } from '../clients/typescript/src/index.ts';
import type { Contract } from '../src/contract/endpoint.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { readExampleAnswers } from '../src/endpoints/exampleAnswers.ts';
import { differenceOf, type Identifiers, type PrintedAnswer } from './answers.ts';
import { changing, type Documented } from './guides.ts';
import { deepTest, level } from './level.ts';
import { python, withoutPython } from './python.ts';
import { startChromium } from './servers/chromium.ts';
import { fetchPrograms } from './servers/programs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = new URL('../clients/typescript/src/index.ts', import.meta.url).href;
/** Links of reports name the public address, which leads to the service on its own port. */
const publicHost = 'vitrine.test';
const pollMilliseconds = 5;
type Fields = Readonly<Record<string, unknown>>;
/** A call as each client makes it. */
type Call = { readonly name: string; readonly input: Fields; readonly key: string | undefined };
type Client = { call(call: Call): Promise<unknown> };

/** Checks both clients; the service is open when the tests run. */
export function checkClients(serviceOf: () => Documented): void {
  const settings = (): Settings => ({
    url: serviceOf().address,
    key: serviceOf().demonstration.key,
    fetch: redirected(serviceOf().address),
    clock: hurriedClock,
  });

  deepTest('the TypeScript client calls every operation', async () => {
    const vitrine = new Vitrine(settings());
    await callEvery(serviceOf(), 'typescript', {
      call: ({ name, input, key }) =>
        (vitrine as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!(
          input,
          key === undefined ? {} : { idempotencyKey: key },
        ),
    });
  });

  deepTest('the Python client calls every operation', { skip: withoutPython }, async () => {
    const { address, demonstration } = serviceOf();
    const child = startPython(address, demonstration.key);
    try {
      await callEvery(serviceOf(), 'python', child);
    } finally {
      child.end();
    }
  });

  deepTest('rows and pages equal single requests', async () => {
    const vitrine = new Vitrine(settings());
    const input = { channelId: ['northwind-us', 'northwind-uk'], pageSize: 3 };
    const { pagination } = await vitrine.listCampaigns(input);
    const { data } = await vitrine.listCampaigns({ ...input, pageSize: 100 });
    assert.ok(pagination.count > 6);
    const pages = await collected(vitrine.pages('listCampaigns', input));
    assert.equal(pages.length, Math.ceil(pagination.count / 3));
    const listed = pages.flatMap((page) => page.data);
    assert.deepEqual(listed, data);
    assert.deepEqual(await collected(vitrine.rows('listCampaigns', input)), data);
    const store = { channelId: 'northwind-us', merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER' };
    const range = { fromDate: 1793300000, toDate: 1793516399 };
    const small = { ...store, ...range, pageSize: 20 };
    const orders = await collected(vitrine.rows('listOrders', small));
    const { data: first } = await vitrine.listOrders({ ...store, ...range, pageSize: 100 });
    assert.ok(orders.length > 40);
    assert.deepEqual(orders.slice(0, first.length), first);
    assert.equal(new Set(orders.map((order) => order.PlatformOrderId)).size, orders.length);
    const requested = (pageSize: number) => ({ ...store, reportOptions: { ...range, pageSize } });
    const products = await collected(vitrine.rows('readProductProfitAndLoss', requested(5)));
    const { productEvents, count } = await vitrine.readProductProfitAndLoss(requested(50));
    assert.deepEqual([products, products.length], [productEvents, count]);
  });

  deepTest('the README of the TypeScript client prints what it says', async () => {
    const { address } = serviceOf();
    const preamble = `
const within = globalThis.setTimeout;
globalThis.setTimeout = (run, milliseconds, ...more) =>
  within(run, milliseconds < 10_000 ? Math.min(milliseconds, 5) : milliseconds, ...more);
const direct = globalThis.fetch;
globalThis.fetch = (url, init) => direct(url.replace('http://${publicHost}', '${address}'), init);
`;
    const words = ['--input-type=module-typescript', '-e'];
    const readme = { file: 'clients/typescript/README.md', language: 'ts' };
    await checkReadme(serviceOf(), { ...readme, separator: "console.log('\\0')" }, (code) => [
      process.execPath,
      [...words, preamble + code.replace("'vitrine-client'", `'${entry}'`)],
    ]);
  });

  const needsPython = { skip: withoutPython };
  deepTest('the README of the Python client prints what it says', needsPython, async () => {
    const preamble = pythonPreamble(serviceOf().address);
    const readme = { file: 'clients/python/README.md', language: 'python' };
    await checkReadme(serviceOf(), { ...readme, separator: "print('\\0')" }, (code) => [
      python!,
      ['-c', preamble + code],
    ]);
  });

  deepTest('newman sends every request of the Postman collection', async () => {
    await checkCollection(serviceOf());
  });

  deepTest('the TypeScript client runs in a browser, on a page of another origin', async () => {
    await checkBrowser(serviceOf());
  });
}

/** Calls every operation, and compares its answer with that to a request of its own. */
async function callEvery(service: Documented, name: string, client: Client): Promise<void> {
  const { world, demonstration } = service;
  const found: Record<string, unknown> = {};
  const created: Record<string, unknown> = {};
  const called = new Set<string>();
  const known: Identifiers = new Map();
  const call = async (contract: Contract, input: Fields) => {
    const key = contract.idempotencyKey === true ? `${name}-${contract.operation}` : undefined;
    const answer = await client.call({ name: contract.operation, input, key });
    called.add(contract.operation);
    Object.assign(found, Array.isArray(answer) ? {} : answer);
    const made = { createWebhook: 'webhookId', createSchedule: 'scheduleId' }[contract.operation];
    if (made !== undefined) created[made] = (answer as Fields)[made];
    if (contract.method === 'DELETE') return;
    assert.ok(isFilled(answer), `${contract.operation}: ${JSON.stringify(answer)}`);
    const printed = printedAnswer(contract);
    if (printed !== undefined)
      assert.equal(differenceOf(printed, JSON.stringify(answer), known), undefined, contract.path);
    // Where the answer is the printed one, a request without the client adds nothing.
    if (key !== undefined || printed === undefined) await compare(contract, input, key, answer);
  };
  type Key = string | undefined;
  const compare = async (contract: Contract, input: Fields, key: Key, answer: unknown) => {
    const { method, url, body } = requestOf(contract, input);
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    // With the same key, a change is answered as the first time.
    const direct = await world.ask(demonstration.key, method, url, body, headers);
    assert.equal(direct.status, 200, `${contract.operation}: ${JSON.stringify(direct.body)}`);
    assert.equal(direct.headers['idempotency-replayed'], key && 'true', contract.operation);
    // Links and cursors are new with every request, and jobs go on.
    const comparable = (value: unknown) =>
      isProgress(contract) ? Object.keys(value as object) : withoutCursor(value ?? '');
    assert.deepEqual(comparable(answer), comparable(direct.body), contract.operation);
  };
  const contracts = Object.values<Contract>(publicContracts);
  const [deleting = [], others = []] = [true, false].map((is) =>
    contracts.filter(({ method }) => (method === 'DELETE') === is),
  );
  for (const contract of [...others, ...deleting]) {
    const { example = {} } = contract;
    // The webhook and the schedule of the examples may be deleted once only.
    const own = deleting.includes(contract) ? created : {};
    const ids: Fields = { id: found.groupId, reportId: found.reportId, jobId: found.jobId, ...own };
    const known = Object.entries(ids).filter(([field, id]) => field in example && id !== undefined);
    await call(contract, { ...example, ...Object.fromEntries(known) });
  }
  assert.deepEqual([...called].sort(), contracts.map(({ operation }) => operation).sort());
}

/** Whether a list of an answer has rows, if it has lists. */
function isFilled(answer: unknown): boolean {
  const text = JSON.stringify(answer) ?? '';
  return !text.includes('[]') || /\[[^\]]/.test(text);
}

/**
 * Operations whose printed answers are of channels or days that only deep tests import, or follow
 * from the examples before; deep tests compare them all, with answers to curl.
 */
const ofMore: ReadonlySet<string> = new Set([
  ...['readLineage', 'listCampaigns', 'viewSalesByChannel', 'viewAdvertisingByChannels'],
  ...['listTags', 'saveCustomGroup', 'listCustomGroups', 'readCustomGroup'],
  ...['readReportStatus', 'readDirectCostsJobStatus'],
]);

/** The answer that the description prints, where tests that are not deep can expect it. */
function printedAnswer({ operation }: Contract): PrintedAnswer | undefined {
  const printed = readExampleAnswers()[operation];
  const isLeftOut = level === 'deep' || changing.has(operation) || ofMore.has(operation);
  if (isLeftOut || printed === undefined) return undefined;
  return { language: 'json', text: JSON.stringify(printed, null, 2) };
}

const isProgress = ({ operation }: Contract) =>
  /^(?:readReportStatus|readDirectCostsJobStatus|listReports)$/.test(operation);

function withoutCursor(answer: unknown): unknown {
  const { meta } = answer as { meta?: { key?: string } };
  return meta?.key === undefined ? answer : { ...(answer as object), meta: Object.keys(meta) };
}

/** The request of a call, made without a client. */
function requestOf({ method, path, query, body }: Contract, input: Fields) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(input[name]));
  const fields = (part: typeof body) =>
    Object.entries(input).filter(([name]) => part && name in part.properties);
  const parameters = new URLSearchParams();
  for (const [name, value] of fields(query))
    for (const one of [value].flat()) parameters.append(name, String(one));
  const sent = body && Object.fromEntries(fields(body));
  return { method, url: `${address}?${parameters}`, body: sent };
}

async function collected<One>(all: AsyncIterable<One>): Promise<One[]> {
  const list: One[] = [];
  for await (const one of all) list.push(one);
  return list;
}

const redirected =
  (address: string): typeof fetch =>
  (url, init) =>
    fetch(String(url).replace(`http://${publicHost}`, address), init);

/** Waits are short, because the reports of the tests are. */
const hurriedClock: Settings['clock'] & object = {
  now: Date.now,
  random: () => 0,
  timeout: () => new AbortController().signal,
  wait: () => new Promise((resolve) => setTimeout(resolve, pollMilliseconds)),
};

/** Lets Python find the client, the service by its public address, and no long waits. */
const pythonPreamble = (address: string) => `
import socket, sys, time
sys.path.insert(0, ${JSON.stringify(`${root}clients/python`)})
_connect, _sleep = socket.create_connection, time.sleep
def _redirected(place, *more, **named):
    if place[0] == "${publicHost}":
        place = ("127.0.0.1", ${new URL(address).port})
    return _connect(place, *more, **named)
socket.create_connection = _redirected
time.sleep = lambda seconds: _sleep(min(seconds, 0.005))
`;

/** A Python that makes one call for each line that it reads. */
function startPython(address: string, key: string): Client & { end(): void } {
  const program = `${pythonPreamble(address)}
import json, re
from vitrine import Vitrine
vitrine = Vitrine("${address}", "${key}")
for line in sys.stdin:
    call = json.loads(line)
    method = getattr(vitrine, re.sub("[A-Z]", lambda one: "_" + one[0].lower(), call["name"]))
    options = {"idempotency_key": call["key"]} if call.get("key") else {}
    try:
        answer = {"answer": method(call["input"], **options)}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
`;
  const child = spawn(python!, ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = child.stdout.setEncoding('utf8').iterator();
  let rest = '';
  const readLine = async (): Promise<string> => {
    for (;;) {
      const end = rest.indexOf('\n');
      if (end >= 0) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return line;
      }
      const { value, done } = await lines.next();
      assert.ok(done !== true, 'Python has ended');
      rest += value;
    }
  };
  return {
    end: () => child.stdin.end(),
    async call(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const { answer, error } = JSON.parse(await readLine());
      assert.equal(error, undefined, call.name);
      return answer;
    },
  };
}

/** The README of a client: its language, and the line of code that separates what blocks print. */
type Readme = Readonly<Record<'file' | 'language' | 'separator', string>>;

/** Runs the blocks of code of a README as one program, and compares what each block prints. */
async function checkReadme(
  { address, demonstration }: Documented,
  { file, language, separator }: Readme,
  programOf: (code: string) => readonly [program: string, words: readonly string[]],
): Promise<void> {
  const blocks = lexer(readFileSync(root + file, 'utf8')).flatMap((token) =>
    token.type === 'code' && token.codeBlockStyle !== 'indented'
      ? [{ lang: token.lang as string, text: token.text as string }]
      : [],
  );
  const code = blocks.filter(({ lang }) => lang === language).map(({ text }) => text);
  const printed = blocks.filter(({ lang }) => lang === 'text').map(({ text }) => text);
  assert.ok(code.length >= 5);
  assert.equal(printed.length, code.length, 'each block of code has its output');
  const whole = code.map((text) => `${text}\n${separator}\n`).join('');
  const [program, words] = programOf(whole.replaceAll('http://127.0.0.1:8080', address));
  const env = { ...process.env, KEY: demonstration.key };
  const child = spawn(program, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error] = await Promise.all([child.stdout, child.stderr].map(text));
  const outputs = out!.split('\0').map((text) => text.trim());
  for (const [place, expected] of printed.entries()) {
    const answer: PrintedAnswer = { language: 'text', text: expected };
    const difference = differenceOf(answer, outputs[place] ?? '', new Map());
    assert.equal(difference, undefined, `${file}: ${code[place]}\n${outputs[place]}\n${error}`);
  }
}

/** Sends the requests of the collection in their order. */
async function checkCollection({ address, demonstration, folderFor }: Documented): Promise<void> {
  const folder = await fetchPrograms(['newman@6.2.2']);
  const result = join(await folderFor(), 'newman.json');
  const settings = ['--env-var', `baseUrl=${address}`, '--env-var', `apiKey=${demonstration.key}`];
  const output = ['--reporters', 'json', '--reporter-json-export', result, '--suppress-exit-code'];
  const words = ['run', `${root}docs/postman.json`, ...output, ...settings];
  const newman = join(folder, 'node_modules/.bin/newman');
  await once(spawn(newman, words, { stdio: 'ignore' }), 'close');
  const { run } = JSON.parse(readFileSync(result, 'utf8'));
  type Failure = { readonly source: { readonly name: string }; readonly error: Error };
  const described = ({ source, error }: Failure) => `${source.name}: ${error.message}`;
  assert.deepEqual(run.failures.map(described), []);
  assert.equal(run.stats.requests.total, Object.keys(publicContracts).length);
}

/** Lists, changes, refusals and downloads of a page whose origin is not that of the service. */
async function checkBrowser({ address, demonstration }: Documented): Promise<void> {
  const kind = { bundle: true, write: false, format: 'iife', globalName: 'client' } as const;
  const { outputFiles } = await build({ ...kind, entryPoints: [fileURLToPath(entry)] });
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Another site</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const hosts = `MAP ${publicHost}:80 127.0.0.1:${new URL(address).port}`;
  const browser = await startChromium([`--host-resolver-rules=${hosts}`]);
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    const program = `(async () => {
      const statuses = [];
      const vitrine = new client.Vitrine({
        url: '${address}', key: '${demonstration.key}', keptAnswersMax: 9, strict: true,
        onAnswer: ({ status, requestId }) => statuses.push([status, requestId !== undefined]),
      });
      const store = { channelId: 'northwind-us', merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER' };
      await vitrine.readChannelTags(store);
      await vitrine.readChannelTags(store);
      const changed = await vitrine.changeChannelTags({ ...store, addTags: ['page'] });
      const refused = await vitrine.listTags({ pageSize: 0 }).catch((error) => error.reasons);
      const csv = await vitrine.csv('listTags', { pageSize: 25 });
      const seen = statuses.slice();
      const created = await vitrine.createInventoryReplenishmentReport(store);
      const report = await vitrine.waitForReport(created);
      const file = await (await report.download()).text();
      return {
        seen, refused, tagged: changed.tags.includes('page'),
        pageSize: csv.envelope.get('pageSize'), isFile: file.length > 100,
      };
    })()`;
    assert.deepEqual(await page.evaluate(program), {
      seen: [200, 304, 200, 400, 200].map((status) => [status, true]),
      refused: ['pageSize must be at least 25'],
      tagged: true,
      pageSize: '25',
      isFile: true,
    });
  } finally {
    await browser.close();
    site.close();
  }
}
