/** Visitors of the account pages, who send the pages' requests with their cookie. */
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { hashPassword } from '../src/access/passwords.ts';
import {
  type Answer,
  cheapPasswords,
  hardlyLimited,
  type Method,
  type Tenant,
  type World,
} from './harness.ts';
import { changeRecords } from './records.ts';

type Headers = Record<string, string>;

/** Somebody at a browser. */
export type Visitor = {
  /** Asks with the cookie that was given last. */
  ask(...input: [Method, path: string, body?: unknown, headers?: Headers]): Promise<Answer>;
  /** Asks and expects 200; returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself which shape it expects.
  get(path: string): Promise<any>;
  /** The cookie as the browser would send it, such as `vitrine-session=vit_session_...`; undefined where it has none. */
  readonly cookie: string | undefined;
  /** The cookie by which a browser that has signed in before is known. */
  readonly device: string | undefined;
  /** All that the last answer said of its cookie. */
  readonly setCookie: string | undefined;
};

/** The properties of a visitor; each has an address of its own unless one is given. */
export type VisitorSettings = {
  readonly address?: string;
  readonly cookie?: string;
  readonly device?: string | undefined;
  readonly userAgent?: string;
};

const isOfDevice = (cookie: string) => cookie.split('=')[0]!.endsWith('vitrine-device');

/** A visitor who is not signed in. */
export function visit({ server }: World, settings: VisitorSettings = {}): Visitor {
  const remoteAddress =
    settings.address ?? `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  let cookie = settings.cookie;
  let setCookie: string | undefined;
  let device = settings.device;
  const ask: Visitor['ask'] = async (method, path, body, headers = {}) => {
    const cookies = [cookie, device].filter((one) => one !== undefined).join('; ');
    const response = await server.inject({
      method,
      url: path,
      remoteAddress,
      headers: {
        'sec-fetch-site': 'same-origin',
        'user-agent':
          settings.userAgent ??
          'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(cookies !== '' && { cookie: cookies }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const given = [response.headers['set-cookie'] ?? []].flat();
    setCookie = given.find((one) => !isOfDevice(one));
    device = given.find(isOfDevice)?.split(';')[0] ?? device;
    if (setCookie !== undefined)
      cookie = setCookie.includes('Max-Age=0') ? undefined : setCookie.split(';')[0];
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: response.statusCode,
      body: isJson ? JSON.parse(response.body) : response.body,
      headers: response.headers,
    };
  };
  return {
    ask,
    async get(path) {
      const { status, body } = await ask('GET', path);
      assert.equal(status, 200, `GET ${path}: ${JSON.stringify(body)}`);
      return body;
    },
    get cookie() {
      return cookie;
    },
    get device() {
      return device;
    },
    get setCookie() {
      return setCookie;
    },
  };
}

/** The default password of users. */
export const password = 'correct horse battery staple';

let hash: Promise<string> | undefined;
const defaultHash = () => (hash ??= hashPassword(password, cheapPasswords));

type Role = 'owner' | 'administrator' | 'member' | 'viewer';
type PersonSettings = { readonly email?: string; readonly role?: Role; readonly password?: string };

/** Makes a user with a password, the default one by its hash, which takes long to make. */
export async function makePerson(
  world: World,
  organisationId: string,
  settings: PersonSettings = {},
): Promise<{ readonly userId: string; readonly email: string }> {
  const email = settings.email ?? `person-${randomUUID()}@example.com`;
  const input = { organisationId, email, role: 'owner', ...settings };
  const { userId } = await world.operate('POST', '/operator/users', input);
  if (settings.password === undefined) await givePassword(world, userId);
  return { userId, email };
}

/** Gives a user the default password. */
async function givePassword(world: World, userId: string): Promise<void> {
  await changeRecords(world, 'userAccount', { userId }, { passwordHash: await defaultHash() });
}

/** Makes a user of an organisation of their own. */
export async function makeStranger(world: World, settings: PersonSettings = {}) {
  const acme = { name: 'Acme' };
  const { organisationId } = await world.operate('POST', '/operator/organisations', acme);
  return { organisationId, ...(await makePerson(world, organisationId, settings)) };
}

/** Lets a user use these channels, or all of the organisation. */
export async function grant(world: World, userId: string, channelIds: readonly string[] | 'all') {
  await world.operate('PUT', `/operator/users/${userId}/channels`, { channelIds });
}

/** Issues a key of a user, with limits that tests do not reach. */
export async function issueKey(world: World, userId: string): Promise<string> {
  const input = { userId, limits: hardlyLimited };
  return (await world.operate('POST', '/operator/keys', input)).key;
}

/** The owner of a tenant, signed in. */
export async function ownerOf(world: World, { userId }: Pick<Tenant, 'userId'>): Promise<Visitor> {
  await givePassword(world, userId);
  const { email } = await world.operate('GET', `/operator/users/${userId}`);
  return signIn(world, email);
}

/** The status and the words of a refusal. */
export async function refusal(answering: Promise<Answer>): Promise<[number, string]> {
  const { status, body } = await answering;
  return [status, body.error];
}

/** Expects a request to be refused with a status and these words. */
export async function assertRefused(answering: Promise<Answer>, status: number, error: string) {
  assert.deepEqual(await refusal(answering), [status, error]);
}

/** The status that a visitor gets who asks for the own session. */
export async function statusOf(visitor: Visitor): Promise<number> {
  return (await visitor.ask('GET', '/account/session')).status;
}

/** A signed-in user. */
export async function signIn(
  world: World,
  email: string,
  settings: VisitorSettings & { readonly password?: string } = {},
): Promise<Visitor> {
  const visitor = visit(world, settings);
  const entered = { email, password: settings.password ?? password };
  const { status, body } = await visitor.ask('POST', '/account/session', entered);
  assert.equal(status, 200, JSON.stringify(body));
  return visitor;
}
