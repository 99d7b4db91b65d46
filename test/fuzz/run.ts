/**
 * Sends valid, nearly valid and malformed requests to every operation, and checks that each answer
 * is one that the description promises.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Contract } from '../../src/contract/endpoint.ts';
import { operatorIntroduction, publicIntroduction } from '../../src/contract/introductions.ts';
import type { Introduction } from '../../src/contract/openapi.ts';
import {
  accountContracts,
  operatorContracts,
  publicContracts,
} from '../../src/endpoints/contracts.ts';
import { openWorld, type Pair, type World } from '../harness.ts';
import {
  type Draft,
  inTime,
  learn,
  marker,
  ready,
  send,
  shown,
  type Target,
  unlearn,
  wrongWith,
} from './answers.ts';
import { furnish, recordsOf, refurnish, visitor } from './furnish.ts';
import { draftOf } from './requests.ts';
import { type Clients, hostileClients, meet, rawRequest, sendRaw } from './sockets.ts';
import { knownMax, reference } from './values.ts';

/** The results of a run of requests. */
export type FuzzReport = {
  readonly requests: number;
  readonly seed: number;
  /** The most memory that the process had. */
  readonly mebibytes: number;
  /** How often each operation answered with each status. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The first failure of each operation, minimised, and problems beyond single answers. */
  readonly failures: readonly {
    readonly operation: string;
    readonly reason: string;
    readonly request: string;
  }[];
};

/** Stands for the operation of a failure that shows at the end. */
const afterwards = { operation: '(afterwards)', request: '' };
/** Stands for an operation where there is none. */
const broken = '(no proper HTTP)';
/** Stands for clients that are slow, many or leave. */
const misbehaving = '(hostile clients)';
const requestsPerTurn = 25;
const clientsPerTurn = 3;
/** The memory that the process, with these tests in it, may take beyond its start. */
const mebibytesMax = 1_400;

const statusesOfPages = [400, 401, 403, 404, 409, 422, 429];
/** The account pages have no published description. */
const accountIntroduction: Introduction = {
  ...operatorIntroduction,
  errors: () => Object.fromEntries(statusesOfPages.map((status) => [status, ''])),
};

/** Imports come first, before their channel is deleted. */
const operatorContractsInTurn: readonly Contract[] = Object.values(
  operatorContracts as Readonly<Record<string, Contract>>,
).sort((one, other) => Number(other.stream !== undefined) - Number(one.stream !== undefined));

/** In an order in which all have a session: operations that end one come last. */
const endings = ['endSession', 'endOtherSessions', 'signOut'];
const accountContractsInTurn: readonly Contract[] = Object.values(
  accountContracts as Readonly<Record<string, Contract>>,
).sort((one, other) => endings.indexOf(one.operation) - endings.indexOf(other.operation));

/** Sends random requests to a new world and reports the results; equal seeds send equal requests. */
export async function fuzz(pair: Pair, requests: number, seed: number): Promise<FuzzReport> {
  const start = { resident: process.memoryUsage.rss(), peak: peakBytes() };
  const world = await openWorld(pair, { logLevel: 'fatal' });
  try {
    const report = await run(world, requests, seed);
    const peak = peakBytes();
    // The peak may be that of other tests of the process, before these.
    const most = peak > start.peak ? peak : report.residentMax;
    const grown = mebibytesOf(most - start.resident);
    if (grown > mebibytesMax)
      report.failures.push({ ...afterwards, reason: `the process took ${grown} MiB` });
    const { residentMax: _, ...others } = report;
    return { ...others, mebibytes: mebibytesOf(peak) };
  } finally {
    await world.close();
  }
}

const peakBytes = () => process.resourceUsage().maxRSS * 1_024;
const mebibytesOf = (bytes: number) => Math.round(bytes / 1_048_576);

async function run(world: World, requests: number, seed: number) {
  const own = await furnish(world, 'own', {});
  const ofForeign = { channelId: `channel-${marker}`, merchantId: `merchant-${marker}` };
  const foreign = await furnish(world, marker, ofForeign);
  const { merchantId } = own;
  const vendor = await world.channel(own.organisationId, 'vendor', { kind: 'vendor', merchantId });
  const before = await recordsOf(world, foreign);
  // The operator may undo any import, and their numbers are easy to guess. These have to stay.
  const path = `/operator/imports?channelId=${foreign.channelId}`;
  const { imports } = await world.operate('GET', path);
  const undoingOthers: string[] = imports.map(
    ({ importId }: { importId: number }) => `/operator/imports/${importId}/facts`,
  );

  const publicKnown = new Map([
    ['channelId', [...mostly(own.channelId), vendor, 'imported', foreign.channelId, 'nowhere']],
    ['merchantId', [...mostly(own.merchantId), foreign.merchantId, 'nobody']],
  ]);
  // Records of others have small numbers as identifiers.
  for (const name of ['groupId', 'reportId', 'jobId']) publicKnown.set(name, ['1', '2', '3', '4']);
  const operatorKnown = new Map<string, string[]>();
  const accountKnown = new Map<string, string[]>();
  const ofKey = { 'x-api-key': own.key };
  const ofOperator = { authorization: `Bearer ${world.operatorToken}` };
  const ofPage = { cookie: reference('cookie', 0), 'sec-fetch-site': 'same-origin' };
  const targets: Target[] = [
    ...Object.values(publicContracts).map((contract) =>
      targetOf(contract, publicIntroduction, 6, publicKnown, ofKey),
    ),
    ...operatorContractsInTurn.map((contract) =>
      targetOf(contract, operatorIntroduction, weightOf(contract), operatorKnown, ofOperator),
    ),
    ...accountContractsInTurn.map((contract) =>
      targetOf(contract, accountIntroduction, 1, accountKnown, ofPage),
    ),
  ];
  const drafts = new Map(
    targets.map((target) => [target, draftOf(target, methodsMissing(target.contract, targets))]),
  );

  const statuses: Record<string, Record<string, number>> = {};
  const failures = new Map<string, FuzzReport['failures'][number]>();
  let sent = 0;
  const count = (operation: string, status: number | string) => {
    statuses[operation] ??= {};
    statuses[operation][status] = (statuses[operation][status] ?? 0) + 1;
    sent++;
  };

  const seedOf = (round: number, index: number) => seed + round * 1_000 + index;
  /** One turn of an operation; the first request that fails is made smaller until it does not fail any more. */
  async function turn<Sent>(
    operation: string,
    arbitrary: Arbitrary<Sent>,
    numRuns: number,
    turnSeed: number,
    ask: (one: Sent) => Promise<string | undefined>,
    show: (one: Sent) => string,
  ) {
    let last = { reason: '', request: '' };
    const property = fc.asyncProperty(arbitrary, async (one) => {
      const reason = await ask(one).catch((error: Error) => String(error.stack ?? error));
      if (reason === undefined) return;
      last = { reason, request: show(one) };
      throw new Error(reason);
    });
    const { failed } = await fc.check(property, { numRuns, seed: turnSeed });
    if (failed) failures.set(operation, { operation, ...last });
  }

  async function turnOf(target: Target, index: number, round: number, share: number) {
    const { operation } = target.contract;
    // A weight below one is a turn in some rounds only.
    const every = Math.max(1, Math.round(1 / target.weight));
    if (round % every !== index % every || failures.has(operation)) return;
    const numRuns = Math.ceil(Math.max(1, target.weight) * requestsPerTurn * share);
    const ask = async (draft: Draft) => {
      const request = ready(draft, target.known);
      if (request.method === 'DELETE' && undoingOthers.includes(request.path.split('?')[0]!))
        return undefined;
      const answer = await inTime(send(world, request));
      count(operation, answer.status);
      const cookie = /^[^=]+=[^;]+/.exec(String(answer.headers['set-cookie'] ?? ''))?.[0];
      if (cookie !== undefined) target.known.set('cookie', [cookie]);
      if (answer.status === 200 && request.method === 'DELETE') unlearn(target.known, request.path);
      else if (answer.status === 200 && request.method !== 'GET') learn(target, answer.body);
      return wrongWith(target, request, answer);
    };
    const show = (draft: Draft) => shown(ready(draft, target.known));
    await turn(operation, drafts.get(target)!, numRuns, seedOf(round, index), ask, show);
  }

  async function turnOfBroken(round: number, share: number): Promise<void> {
    const ask = async (text: string) => {
      const { status, wrong } = await sendRaw(Number(port), text.replace('~key~', own.key));
      count(broken, status === 0 ? 'closed' : status);
      return wrong;
    };
    if (failures.has(broken)) return;
    const show = (text: string) => JSON.stringify(text.slice(0, 600));
    const numRuns = Math.ceil(requestsPerTurn * share);
    await turn(broken, rawRequest, numRuns, seedOf(round, 999), ask, show);
  }

  async function turnOfClients(round: number): Promise<void> {
    const ask = async (clients: Clients) => {
      const wrong = await meet(Number(port), own.key, clients);
      count(misbehaving, clients.way);
      return wrong;
    };
    if (failures.has(misbehaving)) return;
    const turnSeed = seedOf(round, 998);
    await turn(misbehaving, hostileClients, clientsPerTurn, turnSeed, ask, JSON.stringify);
  }

  const { port } = new URL(await world.server.listen({ port: 0, host: '127.0.0.1' }));
  const weights = targets.reduce((sum, { weight }) => sum + weight, 1);
  let residentMax = 0;
  for (let round = 0; sent < requests && failures.size < targets.length; round++) {
    await refurnish(world, own, operatorKnown, round);
    await visitor(world, own, accountKnown);
    const share = Math.min(1, (requests - sent) / (weights * requestsPerTurn));
    const turnsOf = async (introduction: Introduction) => {
      for (const [index, target] of targets.entries()) {
        if (target.introduction === introduction) await turnOf(target, index, round, share);
      }
    };
    // Side by side, because the operator does not wait for the callers to be done.
    await Promise.all([
      turnsOf(publicIntroduction),
      turnsOf(operatorIntroduction),
      turnsOf(accountIntroduction),
      turnOfBroken(round, share),
      turnOfClients(round),
    ]);
    residentMax = Math.max(residentMax, process.memoryUsage.rss());
  }

  const beyond = (reason: string, request = '') =>
    failures.set(reason, { ...afterwards, reason, request });
  for (const path of ['/healthz', '/readyz']) {
    const { status } = await world.ask(undefined, 'GET', path);
    if (status !== 200) beyond(`${path} answers ${status}`);
  }
  const after = await recordsOf(world, foreign);
  const added = after.filter((one) => !before.includes(one));
  const changes = [...added, ...before.filter((one) => !after.includes(one))];
  if (changes.length > 0)
    beyond('records of another organisation have changed', changes.slice(0, 3).join('\n'));
  const channels = await world.ask(foreign.key, 'POST', '/channels', {});
  if (channels.status !== 200 || channels.body.length !== 1)
    beyond(`POST /channels answers ${JSON.stringify(channels)}`);
  if ('polluted' in {}) beyond('every object has got a new property');
  return { requests: sent, seed, statuses, residentMax, failures: [...failures.values()] };
}

/** The right one so often that most requests pass by it, and not so often that the others are out of reach. */
function mostly(identifier: string): string[] {
  return Array.from({ length: knownMax - 4 }, () => identifier);
}

function targetOf(
  contract: Contract,
  introduction: Introduction,
  weight: number,
  known: Target['known'],
  credential: Target['credential'],
): Target {
  let compiled: ReturnType<typeof Compile<TSchema>> | undefined;
  const isWhole = (answer: unknown) => {
    compiled ??= Compile(contract.answer);
    return compiled.Check(answer);
  };
  return { contract, introduction, weight, known, credential, isWhole };
}

/** The frequency of an operation: lower for imports, passwords and deletions. */
function weightOf({ method, stream, body }: Contract): number {
  if (stream !== undefined) return 0.5;
  if (method === 'DELETE') return 0.5;
  return body !== undefined && 'password' in body.properties ? 0.5 : 2;
}

function methodsMissing({ path }: Contract, targets: readonly Target[]): string[] {
  const pattern = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
  const taken = targets
    .filter(({ contract }) => pattern(contract.path) === pattern(path))
    .map(({ contract }) => contract.method as string);
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'].filter(
    (method) => !taken.includes(method),
  );
}
