/** Downloads of reports by link: they need no key, and access is checked again each time. */
import { pipeline, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  boundColumns,
  type KeyRights,
  mayComeFrom,
  rightsOf,
  unbounded,
} from '../access/keyRights.ts';
import { sessionPrefix, validSessions } from '../access/sessions.ts';
import { validKeys } from '../access/usableKeys.ts';
import type { SessionDays } from '../config.ts';
import { Refusal, retryAfterSeconds } from '../contract/refusal.ts';
import { scheduledOperation } from '../endpoints/schedules/operations.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Registry, UserRecord } from '../engine/registry.ts';
import { type ByteRange, type FileStore, mediaTypeOf, type StoredFile } from '../files/store.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { type Link, linkPattern, type ReportLinks } from '../report/reportLinks.ts';
import { findReport, type RequestedReport } from '../report/requestedReports.ts';
import { findRunFile } from '../schedules/files.ts';
import { takes } from './encodings.ts';
import { varyBy } from './headers.ts';

/** Requests for files of one user's reports in the window; each range counts. */
const downloadsMax = 120;
const windowSeconds = 60;

/** The services that downloads need. */
export type DownloadServices = {
  readonly registry: Registry;
  readonly jobs: JobQueue;
  readonly files: FileStore;
  readonly budgets: Budgets;
  readonly reportLinks: ReportLinks;
  readonly limits: SessionDays;
  readonly now: () => number;
};

/** Adds the route. Downloads have no key, so each user has a budget for them instead. */
export function addDownloads(server: FastifyInstance, services: DownloadServices): void {
  const { registry, jobs, files, budgets, reportLinks } = services;
  server.route<{ Params: Link }>({
    method: ['GET', 'HEAD'],
    url: linkPattern,
    // Ranges must not be compressed on their way; whole files are compressed here.
    compress: false,
    async handler(request, reply) {
      const link = request.params;
      // Checked first, without the registry.
      const keyId = reportLinks.keyOf(link);
      const caller = keyId === undefined ? undefined : await readerOf(services, keyId, request.ip);
      if (caller === undefined) throw refused();
      await consume(budgets, caller.userId);
      const report =
        (await findReport(registry, jobs, caller, link.reportId)) ??
        (await findRunFile(registry, caller, link.reportId, {
          now: services.now(),
          operationOf: scheduledOperation,
        }));
      if (report?.status !== 'done' || report.fileName !== link.fileName) throw refused();
      const file = await files.find(report.storedAs);
      if (file === undefined)
        throw new Refusal(
          404,
          'the file of this report is not there any more: create the report anew',
        );
      return send(request, reply, report, file);
    },
  });
}

type Reader = Pick<UserRecord, 'userId' | 'organisationId' | 'restricted'> & {
  readonly rights: KeyRights;
};

/** The user of the session or the key that a link is for, if it is still valid. */
async function readerOf(
  { registry, limits, now }: DownloadServices,
  keyId: string,
  address: string,
) {
  const isSession = keyId.startsWith(sessionPrefix);
  const reader = isSession
    ? await userOfSession(registry, limits, keyId.slice(sessionPrefix.length), now())
    : await userOfKey(registry, keyId, now());
  if (reader === undefined) return undefined;
  const { rights } = reader;
  if (!mayComeFrom(rights, address)) return undefined;
  const { userId, organisationId, restricted } = reader;
  return {
    userId,
    organisationId,
    restricted: restricted === 1,
    rights,
    keyId: isSession ? null : keyId,
  };
}

async function userOfSession(
  registry: Registry,
  days: SessionDays,
  sessionId: string,
  now: number,
): Promise<Reader | undefined> {
  const user = await validSessions(registry, days, now)
    .innerJoin('userAccount', 'userAccount.userId', 'session.userId')
    .select(['userAccount.userId', 'userAccount.organisationId', 'userAccount.restricted'])
    .where('session.sessionId', '=', sessionId)
    .executeTakeFirst();
  return user && { ...user, rights: unbounded };
}

async function userOfKey(
  registry: Registry,
  keyId: string,
  now: number,
): Promise<Reader | undefined> {
  const found = await validKeys(registry, now)
    .select(boundColumns)
    .select(['userAccount.userId', 'userAccount.organisationId', 'userAccount.restricted'])
    .where('apiKey.keyId', '=', keyId)
    .executeTakeFirst();
  return found && { ...found, rights: rightsOf(found) };
}

async function consume(budgets: Budgets, userId: string): Promise<void> {
  const { spent, millisecondsLeft } = await budgets.consume(`downloads:${userId}`, windowSeconds);
  if (spent <= downloadsMax) return;
  const seconds = retryAfterSeconds(millisecondsLeft);
  throw new Refusal(429, `too many downloads in a minute: try again in ${seconds} s`, {
    'retry-after': String(seconds),
  });
}

/** One answer for every wrong link, so that nobody learns which reports exist. */
function refused(): Refusal {
  return new Refusal(
    403,
    'this link does not lead to a file, or not any more: GET /reports/status/{reportId} gives a new one',
  );
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { fileName }: Pick<RequestedReport, 'fileName'>,
  file: StoredFile,
): Promise<FastifyReply> {
  const { range: header, 'if-range': ifRange, 'accept-encoding': encodings } = request.headers;
  const range =
    ifRange === undefined || ifRange === file.tag ? rangeOf(header, file.size) : undefined;
  if (range === 'unsatisfiable') {
    throw new Refusal(416, `the file has ${file.size} bytes: the range begins after them`, {
      'content-range': `bytes */${file.size}`,
    });
  }
  const mediaType = mediaTypeOf(fileName);
  const isPacked = range === undefined && mediaType.startsWith('text/') && takes(encodings, 'gzip');
  // Opened before the headers are set, which would be wrong for an error.
  const body = request.method === 'HEAD' ? undefined : await file.open(range);
  reply.headers({
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'private, no-store',
  });
  varyBy(reply, 'accept-encoding');
  if (isPacked) {
    // The compressed file is a different one, without ranges.
    reply.headers({ 'content-encoding': 'gzip', etag: file.tag.replace(/"$/, '-gzip"') });
    return reply.send(body && (await packed(body)));
  }
  const bytes = range === undefined ? file.size : range.last - range.first + 1;
  reply.headers({ 'accept-ranges': 'bytes', etag: file.tag, 'content-length': bytes });
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${file.size}`);
  return reply.send(body);
}

/** The range that the header names; undefined for none or several, which the whole file answers. */
function rangeOf(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes= *(\d{0,15})-(\d{0,15}) *$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0
      ? 'unsatisfiable'
      : { first: Math.max(0, size - Number(last)), last: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

async function packed(file: Readable): Promise<Readable> {
  const { createGzip } = await import('node:zlib');
  // Errors of the file reach the reader of the compressed stream.
  return pipeline(file, createGzip(), () => {});
}
