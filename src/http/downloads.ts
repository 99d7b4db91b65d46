/** Downloads of reports by their links: no key is needed, and access is looked at anew every time. */
import { pipeline, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/refusal.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Registry } from '../engine/registry.ts';
import type { ByteRange, FileStore, StoredFile } from '../files/store.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { type Link, linkPattern, type ReportLinks } from '../report/reportLinks.ts';
import { findReport, type RequestedReport } from '../report/requestedReports.ts';

/** Requests for files of one user's reports in the window, parts counted each. */
const downloadsMax = 120;
const windowSeconds = 60;

/** What downloads work with. */
export type DownloadParts = {
  readonly registry: Registry;
  readonly jobs: JobQueue;
  readonly files: FileStore;
  readonly budgets: Budgets;
  readonly reportLinks: ReportLinks;
};

/** Adds the route. It spends nothing of any key's budget, having none: users have one of their own for their downloads. */
export function addDownloads(
  server: FastifyInstance,
  { registry, jobs, files, budgets, reportLinks }: DownloadParts,
): void {
  server.route<{ Params: Link }>({
    method: ['GET', 'HEAD'],
    url: linkPattern,
    // What is asked for in parts must not be changed on its way, and the whole is packed here.
    compress: false,
    async handler(request, reply) {
      const link = request.params;
      // Before the registry is asked for anything.
      if (!reportLinks.holds(link)) throw refused();
      const caller = await creatorOf(registry, link.reportId);
      if (caller === undefined) throw refused();
      await spend(budgets, caller.userId);
      const report = await findReport(registry, jobs, caller, link.reportId);
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

/** Who asked for the report, where that is still somebody who may use the interface. */
function creatorOf({ records }: Registry, reportId: string) {
  return records
    .selectFrom('report')
    .innerJoin('userAccount', 'userAccount.userId', 'report.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['userAccount.userId', 'userAccount.organisationId', 'userAccount.restricted'])
    .where('report.reportId', '=', reportId)
    .where('userAccount.role', '!=', 'member')
    .where('organisation.apiAccess', '=', 1)
    .executeTakeFirst()
    .then((creator) => creator && { ...creator, restricted: creator.restricted === 1 });
}

async function spend(budgets: Budgets, userId: string): Promise<void> {
  const { spent, millisecondsLeft } = await budgets.consume(`downloads:${userId}`, windowSeconds);
  if (spent <= downloadsMax) return;
  const seconds = Math.max(1, Math.ceil(millisecondsLeft / 1000));
  throw new Refusal(429, `too many downloads in a minute: try again in ${seconds} s`, {
    'retry-after': String(seconds),
  });
}

/** One answer for all that may be wrong with a link, so that nobody learns what exists. */
function refused(): Refusal {
  return new Refusal(
    403,
    'this link does not lead to a file, or not any more: GET /reports/status/{reportId} gives a new one',
  );
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { fileName }: RequestedReport,
  file: StoredFile,
): Promise<FastifyReply> {
  const { range: asked, 'if-range': ifRange, 'accept-encoding': encodings } = request.headers;
  const range =
    ifRange === undefined || ifRange === file.tag ? rangeOf(asked, file.size) : undefined;
  if (range === 'unsatisfiable') {
    throw new Refusal(416, `the file has ${file.size} bytes: the range begins after them`, {
      'content-range': `bytes */${file.size}`,
    });
  }
  const isPacked = range === undefined && isGzipTaken(encodings);
  // Before the headers are set, which would be wrong for an error.
  const body = request.method === 'HEAD' ? undefined : await file.open(range);
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'private, no-store',
    vary: 'accept-encoding',
  });
  if (isPacked) {
    // The packed file is another one, of which no parts can be asked for.
    reply.headers({ 'content-encoding': 'gzip', etag: file.tag.replace(/"$/, '-gzip"') });
    return reply.send(body && (await packed(body)));
  }
  const bytes = range === undefined ? file.size : range.last - range.first + 1;
  reply.headers({ 'accept-ranges': 'bytes', etag: file.tag, 'content-length': bytes });
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${file.size}`);
  return reply.send(body);
}

/** The one range that the header names: undefined where it names none or several, which may be answered with the whole. */
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

function isGzipTaken(encodings: string | undefined): boolean {
  return (encodings ?? '')
    .split(',')
    .some((one) => /^ *(?:gzip|x-gzip) *(?:; *q=(?!0(?:\.0*)? *$).*)?$/i.test(one));
}

async function packed(file: Readable): Promise<Readable> {
  const { createGzip } = await import('node:zlib');
  // Whoever reads the packed bytes hears of what goes wrong with the others.
  return pipeline(file, createGzip(), () => {});
}
