/** Reports whose rows a test writes itself, from their creation to their download. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReportContext, Write } from '../src/endpoints/reports/create/report.ts';
import { openBucket } from '../src/files/s3.ts';
import type { FileStore } from '../src/files/store.ts';
import type { Cell } from '../src/report/csv.ts';
import type { TypedColumn } from '../src/report/typedColumns.ts';
import {
  type Answer,
  clockStart,
  hardlyLimited,
  onEachPair,
  type Tenant,
  testOnOnePair,
  until,
  type World,
} from './harness.ts';
import { level } from './level.ts';
import { recordsOf } from './records.ts';
import { ended, reportsWith } from './reports.ts';
import { type Bucket, openBucketServer } from './servers/bucket.ts';

const pollMilliseconds = 20;

/** The period of reports, in epoch seconds. */
export const [fromDate, toDate] = [1_752_933_600, 1_753_019_999];

/** The answer about a report that is not there for a caller. */
export const unknown = { status: 'error', error: 'there is no such report' };
const noLink = {
  status: 'error',
  error:
    'this link does not lead to a file, or not any more: GET /reports/status/{reportId} gives a new one',
};

type Row = readonly [name: string, amount: Cell];
/** Writes the rows of a report; each test sets its own. */
type Script = (
  options: { readonly fromDate: number },
  put: Write<Row>,
  context: ReportContext,
) => Promise<void>;

/** Writes three rows in two portions. */
export const threeRows: Script = async (_options, put) => {
  await put([
    ['a', 1],
    ['=b', '2.50'],
  ]);
  await put([['ü', null]]);
};
/** The file of the three rows. */
export const file = "name,amount\r\na,1\r\n'=b,2.50\r\nü,\r\n";

/** Writes the rows of the reports; three of them unless a test sets it. */
export const written: { by: Script } = { by: threeRows };

const columns: readonly TypedColumn<Row>[] = [
  { name: 'name', type: 'text', cell: ([name]) => name },
  { name: 'amount', type: 'number', digits: 2, cell: ([, amount]) => amount },
];
/** Reports of every type with the rows that a test writes. */
export const reports = reportsWith<Row>(columns, (options, context, write) =>
  written.by(options ?? { fromDate: 0 }, write, context),
);

/** Has reports wait at a gate until a test opens it; `came` counts those that have come to it. */
export function gated(): { came: number[]; open: () => void } {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const came: number[] = [];
  written.by = async (options, put, context) => {
    came.push(options.fromDate);
    await isOpen;
    await threeRows(options, put, context);
  };
  return { came, open };
}

/** The store of both places in which files may lie. */
let bucket: Bucket | undefined;
let bucketFiles: FileStore | undefined;
const inBucket: FileStore = {
  isLocal: false,
  verify: async () => [],
  begin: (name) => bucketFiles!.begin(name),
  find: (name) => bucketFiles!.find(name),
  list: () => bucketFiles!.list(),
  remove: (names) => bucketFiles!.remove(names),
};

/** Defines a suite with files in a folder and, in deep tests, one with files in a bucket. */
export function onMadeReports(name: string, define: (it: MadeReports) => void): void {
  for (const [place, files] of [
    ['a folder', undefined],
    ['a bucket', inBucket],
  ] as const) {
    if (files !== undefined && level !== 'deep') continue;
    describe(`with files in ${place}`, () => {
      if (files !== undefined) {
        before(async () => {
          bucket = await openBucketServer();
          bucketFiles = openBucket({ ...bucket.address, prefix: 'reports/' });
        });
        after(() => bucket!.close());
      }
      const options = { reports, ...(files && { files }) };
      onEachPair(
        name,
        (world, pair) => define(new MadeReports(world, testOnOnePair(pair))),
        options,
      );
    });
  }
}

type Posted = { tenant?: Tenant; type?: string; headers?: Record<string, string> };

/** The reports of a tenant of its own for each test. */
export class MadeReports {
  acme!: Tenant;
  readonly world: () => World;
  /** Answers about files depend only on the file store, and some others on no store. */
  readonly test: ReturnType<typeof testOnOnePair>;

  constructor(world: () => World, test: ReturnType<typeof testOnOnePair>) {
    this.world = world;
    this.test = test;
    beforeEach(async () => {
      written.by = threeRows;
      world().clock.now = clockStart;
      this.acme = await world().tenant({ channel: { merchantId: 'M1 @ US' } });
    });
  }

  post = (
    reportOptions: object = {},
    { tenant = this.acme, type = 'customerLifetimeValue', headers = {} }: Posted = {},
  ): Promise<Answer> => {
    const { key, channelId, merchantId } = tenant;
    const body = { channelId, merchantId, reportOptions: { fromDate, toDate, ...reportOptions } };
    return this.world().ask(key, 'POST', `/reports/create/${type}`, body, headers);
  };

  create = async (...input: Parameters<MadeReports['post']>): Promise<string> => {
    const { status, body } = await this.post(...input);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.status, 'started');
    return body.reportId;
  };

  statusOf = (reportId: string, tenant = this.acme, query = ''): Promise<Answer> =>
    this.world().ask(tenant.key, 'GET', `/reports/status/${reportId}${query}`);

  /** Polls until the report has finished; its states may only advance. */
  polled = async (reportId: string): Promise<Answer['body']> => {
    const order = ['started', 'inProgress', 'done', 'errored'];
    for (let last = 'started'; ; ) {
      const { status, body } = await this.statusOf(reportId);
      assert.equal(status, 200, JSON.stringify(body));
      const hasAdvanced = order.indexOf(body.status) >= order.indexOf(last);
      assert.ok(hasAdvanced, `${last} has become ${body.status}`);
      last = body.status;
      if (last === 'done' || last === 'errored') return body;
      await delay(pollMilliseconds);
    }
  };

  /** The status of a report once it has finished. */
  end = async (reportId: string, tenant = this.acme): Promise<Answer['body']> => {
    await ended(this.world(), reportId);
    const { status, body } = await this.statusOf(reportId, tenant);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  done = async (reportId: string, tenant = this.acme): Promise<string> => {
    const { status, downloadUrl } = await this.end(reportId, tenant);
    assert.equal(status, 'done');
    assert.ok(downloadUrl.startsWith('http://vitrine.test/reports/files/'), downloadUrl);
    return downloadUrl;
  };

  /** The link of a new report that is done. */
  made = async (...input: Parameters<MadeReports['post']>): Promise<string> =>
    this.done(await this.create(...input), input[1]?.tenant);

  /** Waits until all reports of the organisation are over, and expects that they are done. */
  allDone = async (): Promise<void> => {
    const { organisationId } = this.acme;
    const jobs = () => recordsOf(this.world(), 'job', { organisationId });
    const isOver = (state: string) => state === 'done' || state === 'failed';
    await until(async () => (await jobs()).every(({ state }) => isOver(state)));
    assert.deepEqual(new Set((await jobs()).map(({ state }) => state)), new Set(['done']));
  };

  /** Downloads without a key, like anyone with the link. */
  download = async (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) => {
    const path = url.replace('http://vitrine.test', '');
    const response = await this.world().server.inject({ method, url: path, headers });
    const { statusCode: status, rawPayload: bytes, body: text } = response;
    return { status, bytes, text, headers: response.headers };
  };

  refused = async (url: string, name?: string): Promise<void> => {
    const { status, text } = await this.download(url);
    assert.deepEqual([status, JSON.parse(text)], [403, noLink], name);
  };

  /** Another person of the organisation. */
  colleague = async (): Promise<{ userId: string }> => {
    const { organisationId } = this.acme;
    const email = `${randomUUID()}@example.com`;
    const body = { organisationId, email, role: 'administrator' };
    return this.world().operate('POST', '/operator/users', body);
  };

  /** The tenant with a key of another user. */
  keyOf = async ({ userId }: { userId: string }): Promise<Tenant> => {
    const body = { userId, limits: hardlyLimited };
    const { key, keyId } = await this.world().operate('POST', '/operator/keys', body);
    return { ...this.acme, userId, key, keyId };
  };
}
