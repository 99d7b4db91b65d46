/** The real service in a process of its own, for killing and measuring it from outside. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshStores } from './servers/shared.ts';

const program = fileURLToPath(new URL('../src/cli/vitrine.ts', import.meta.url));
/** Ample on a slow machine. */
const startMilliseconds = 15 * 60_000;
const operatorToken = 'operator-token-of-the-tests';
const merchantId = 'A1ACME';

type Headers = Record<string, string>;
type Question = [method: string, path: string, body?: unknown, headers?: Headers];

/** A service that takes requests in a process of its own. */
export type Service = {
  readonly pid: number;
  readonly address: string;
  /** Lets in to the operator's interface. */
  readonly authorization: string;
  /** Asks it anything; a body that is no text goes as JSON. Rejects where it dies before it has answered. */
  ask(...question: Question): Promise<Response>;
  /** Asks the operator's interface and expects 200. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself which shape it expects.
  operate(...question: Question): Promise<any>;
  /** The log so far, a line of JSON per entry. */
  log(): string;
  /** Ends it at once, wherever it is. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
};

/** The addresses of stores that a service shares with others. */
export type SharedStores = {
  readonly DATABASE_URL?: string;
  readonly CLICKHOUSE_URL?: string;
  readonly REDIS_URL?: string;
} & Readonly<Record<string, string>>;

/** The environment of a service on a data folder and a free port. */
export function environmentOf(dataFolder: string): Record<string, string> {
  return {
    VITRINE_DATA: dataFolder,
    VITRINE_PORT: '0',
    VITRINE_RATES: 'off',
    VITRINE_SECRET: 'secret-of-the-tests-in-processes',
    VITRINE_DRAIN_SECONDS: '0',
    VITRINE_OPERATOR_TOKEN: operatorToken,
    // A busy machine must not make a server seem silent.
    VITRINE_SILENCE_MILLISECONDS: '60000',
  };
}

/** Runs Node with `run` on a data folder and a free port; resolves when it accepts requests. */
export async function startService(
  dataFolder: string,
  stores: SharedStores = {},
  run: readonly string[] = [program, 'serve'],
): Promise<Service> {
  const child = spawn(process.execPath, run, {
    env: { PATH: process.env.PATH, ...environmentOf(dataFolder), ...stores },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return serviceOf(child);
}

/** A service on a new data folder, which it takes with it: `await using service = ...`. */
export async function freshService(stores: SharedStores = {}, run?: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-service-'));
  const service = await startService(folder, stores, run);
  return {
    ...service,
    folder,
    async [Symbol.asyncDispose]() {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The service that a process runs, once it accepts requests. */
export async function serviceOf(child: ChildProcess): Promise<Service> {
  let logged = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  const gone = once(child, 'exit');
  const address = await addressOf(child);
  const authorization = `Bearer ${operatorToken}`;

  const ask: Service['ask'] = (method, path, body, headers = {}) => {
    const isObject = typeof body === 'object';
    return fetch(`${address}${path}`, {
      method,
      headers: { ...(isObject && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isObject ? JSON.stringify(body) : String(body) }),
    });
  };
  return {
    pid: child.pid!,
    address,
    authorization,
    ask,
    log: () => logged,
    async operate(method, path, body, headers = {}) {
      const response = await ask(method, path, body, { authorization, ...headers });
      const text = await response.text();
      assert.equal(response.status, 200, `${method} ${path}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Makes an organisation and returns its identifier. */
async function makeOrganisation({ operate }: Service): Promise<string> {
  return (await operate('POST', '/operator/organisations', { name: 'Acme' })).organisationId;
}

/** Makes an organisation with an owner, and returns the owner's identifier. */
export async function makeOwner(service: Service): Promise<string> {
  const organisationId = await makeOrganisation(service);
  const user = { organisationId, email: 'owner@example.com', role: 'owner' };
  return (await service.operate('POST', '/operator/users', user)).userId;
}

/** Makes an organisation with one channel, `store`. */
export async function connectStore(service: Service): Promise<void> {
  await connect(service, await makeOrganisation(service), 'store');
}

/** Connects a channel of an organisation: a seller in UTC without advertising, but for `more`. */
export async function connect(
  { operate }: Service,
  organisationId: string,
  channelId: string,
  more: object = {},
): Promise<void> {
  const place = { marketplace: 'primarymkt', countryCode: 'US', currency: 'USD', timezone: 'UTC' };
  const store = { merchantId, displayName: 'Acme', kind: 'seller', ...place };
  const settings = { organisationId, ...store, hasAdvertisingConnected: false, ...more };
  await operate('PUT', `/operator/channels/${channelId}`, settings);
}

/** A channel with a key of its owner. */
export type Customer = {
  readonly channelId: string;
  readonly merchantId: string;
  readonly key: string;
};

/** Makes an organisation with one channel and a key that hardly anything limits. */
export async function makeCustomer(
  service: Service,
  channelId: string,
  more: object = {},
): Promise<Customer> {
  const organisationId = await makeOrganisation(service);
  const owner = { organisationId, email: `${channelId}@example.com`, role: 'owner' };
  const { userId } = await service.operate('POST', '/operator/users', owner);
  const limits = { perSecond: 100_000, burst: 100_000, perDay: 1_000_000_000 };
  const { key } = await service.operate('POST', '/operator/keys', { userId, limits });
  await connect(service, organisationId, channelId, more);
  return { channelId, merchantId, key };
}

/** Asks with a key and expects 200; returns the body. */
export async function askAs(
  service: Service,
  { key }: Pick<Customer, 'key'>,
  ...[method, path, body, headers]: Question
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself which shape it expects.
): Promise<any> {
  const response = await service.ask(method, path, body, { 'x-api-key': key, ...headers });
  const text = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${text}`);
  return JSON.parse(text);
}

/** Empty stores for services: on the shared servers, or in a data folder. */
export async function storesFor(pair: 'embedded' | 'served') {
  if (pair === 'embedded') return { environment: {}, drop: async () => {} };
  const { postgresUrl, clickhouseUrl, drop } = await freshStores();
  return { environment: { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl }, drop };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`The service did not start in time: ${said}`)),
        startMilliseconds,
      );
      child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${said}`)));
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = /http:\/\/[\d.]+:\d+/.exec(said);
        if (found) resolve(found[0]);
      });
    });
  } finally {
    clearTimeout(timer);
  }
}
