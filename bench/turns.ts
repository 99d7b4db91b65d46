/**
 * Small work of one organisation beside much work of two others, whose webhooks nobody answers, and
 * beside strangers who read no answer. Each is first measured in quiet times.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startMailServer } from '../test/mailServer.ts';
import { startReceiver } from '../test/receiver.ts';
import { makeCustomer, type Service, startService } from '../test/service.ts';
import { median } from './measure.ts';
import { type Prepare, smallWork, type Work } from './smallWork.ts';
import type { Strangers } from './strangers.ts';

/** Time until the work of the others is under way. */
const warmUpMilliseconds = 1_000;
/** The initial work of each kind of each of the others. */
const backlog = 10;
const pauseMilliseconds = 20;
const ratioMax = 3;
const connections = 300;

/** Measures each kind of work `count` times in quiet times and beside the others'. */
export async function measureTurns(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const [receiver, mail] = [await startReceiver(), await startMailServer()];
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  const service = await startService(folder, {
    VITRINE_WEBHOOK_HTTP: 'on',
    VITRINE_WEBHOOK_NETWORKS: '127.0.0.1/32',
    VITRINE_SMTP_URL: mail.url,
    VITRINE_SMTP_FROM: 'reports@example.com',
    VITRINE_MAIL_DOMAINS: 'example.com',
  });
  try {
    const { port } = silent.address() as { port: number };
    const places = { receiver, mail, silentUrl: `http://127.0.0.1:${port}/` };
    for (const [name, prepare] of Object.entries(smallWork(service, places))) {
      await allDone(service);
      print(name, ...(await measureWork(service, prepare, count)));
    }
    await measureStrangers(service, count);
  } finally {
    await service.kill();
    silent.closeAllConnections();
    silent.close();
    await Promise.all([receiver.close(), mail.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until nobody's work is left. */
async function allDone({ operate }: Service): Promise<void> {
  const isLeft = async (state: string) =>
    (await operate('GET', `/operator/jobs?state=${state}`)).jobs.length > 0;
  while ((await isLeft('waiting')) || (await isLeft('running'))) await delay(warmUpMilliseconds);
}

let customers = 0;

type Times = readonly [quiet: number[], beside: number[]];

async function measureWork(service: Service, prepare: Prepare, count: number): Promise<Times> {
  const customer = () => makeCustomer(service, `store-${++customers}`);
  const measured = await prepare(await customer(), true);
  const time = async () => {
    const start = performance.now();
    await measured.ended(await measured.begin());
    return performance.now() - start;
  };
  await time();
  const quiet = await timesOf(count, time);
  let isOver = false;
  const others = await Promise.all(
    [1, 2].map(async () => {
      const other = await customer();
      return Promise.all(Array.from({ length: 5 }, () => prepare(other, false)));
    }),
  );
  // Much waits at first, and more comes as it is done.
  const begin = (work: Work) => work.begin().catch(() => {});
  for (const work of others.flat())
    await Promise.all(Array.from({ length: backlog }, () => begin(work)));
  const busy = others.flat().map(async (work) => {
    for (; !isOver; await delay(warmUpMilliseconds)) await begin(work);
  });
  await delay(warmUpMilliseconds);
  const beside = await timesOf(count, time);
  isOver = true;
  await Promise.all(busy);
  return [quiet, beside];
}

async function measureStrangers(service: Service, count: number): Promise<void> {
  const { authorization } = service;
  const time = async () => {
    const start = performance.now();
    await (
      await service.ask('GET', '/operator/organisations', undefined, { authorization })
    ).text();
    return performance.now() - start;
  };
  await timesOf(count * 10, time);
  const quiet = await timesOf(count * 10, time);
  const workerData: Strangers = { port: Number(new URL(service.address).port), connections };
  const strangers = new Worker(new URL('strangers.ts', import.meta.url), { workerData });
  const beside = await timesOf(count * 10, time);
  await strangers.terminate();
  print('a request beside strangers', quiet, beside);
}

async function timesOf(count: number, time: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    times.push(await time());
    await delay(pauseMilliseconds);
  }
  return times;
}

function print(name: string, quiet: readonly number[], beside: readonly number[]): void {
  const ratio = median(beside) / median(quiet);
  const longest = Math.max(...beside).toFixed(0);
  console.log(
    `${name}: median quiet ${median(quiet).toFixed(1)} ms, beside ${median(beside).toFixed(1)} ms, ` +
      `longest ${longest} ms, ratio ${ratio.toFixed(1)}${ratio > ratioMax ? ', above 3' : ''}`,
  );
}
