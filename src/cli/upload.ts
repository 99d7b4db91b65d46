/** Uploads files to the service and summarises what became of their rows. */
import { createReadStream, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import type { FinanceAnswer, ImportAnswer } from '../import/request.ts';
import { showProgress } from './progress.ts';
import { connectionFailure, Failure, parsed, reasonOf, refusal, type Service } from './service.ts';
import { countOf, printable } from './table.ts';
import { asTyped } from './wording.ts';

/** The file name that stands for standard input. */
export const standardInput = '-';

/** Why a document was not imported. */
export type ImportRefusal = { readonly status: number; readonly error: string };

const rejectionsShown = 10;
/** How long to wait for an answer after the service has closed the connection early. */
const lateAnswerMilliseconds = 500;
/** The status of an import whose every row was rejected. */
const nothingImported = 422;
/** Largest answer that is read, in bytes. */
const answerBytesMax = 4 * 1024 * 1024;

/** Imports a file or standard input; throws Failure for errors that would affect every file. */
export async function importFile(
  file: string,
  service: Service,
  path: string,
  mediaType: string,
): Promise<ImportAnswer | ImportRefusal> {
  const { address } = service;
  const { status, text } = await send(file, new URL(address + path), service.token, mediaType);
  const answer = parsed(text);
  const isAnswered = status === 200 || (status === nothingImported && answer?.importId);
  if (isAnswered && answer) return answer as unknown as ImportAnswer;
  if (status === 401 || status === 403) throw refusal(status, text, address);
  const reason = asTyped(reasonOf(status, text));
  return {
    status,
    error: status >= 500 ? `not imported, try again: ${reason}` : `refused: ${reason}`,
  };
}

/** Sends the file; the answer may arrive before all of it is sent. */
async function send(
  file: string,
  target: URL,
  token: string,
  mediaType: string,
): Promise<{ status: number; text: string }> {
  const bytes = file === standardInput ? undefined : statSync(file).size;
  const source: Readable =
    file === standardInput ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  const progress = await showProgress(nameOf(file), bytes, 'sending');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': mediaType,
    accept: 'application/json',
    ...(bytes !== undefined && { 'content-length': bytes }),
  };
  const outgoing = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
    method: 'POST',
    headers,
  });
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.advance(chunk.length);
      done(null, chunk);
    },
    flush(done) {
      progress.setState('importing');
      done();
    },
  });
  try {
    return await answerTo(outgoing, source, counter, target);
  } finally {
    source.destroy();
    outgoing.destroy();
    progress.end();
  }
}

function answerTo(
  outgoing: ClientRequest,
  source: Readable,
  counter: Transform,
  target: URL,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let answering = false;
    outgoing.on('response', (incoming) => {
      answering = true;
      counter.unpipe(outgoing);
      textOf(incoming).then((text) => resolve({ status: incoming.statusCode ?? 0, text }), reject);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A service that refuses a document early closes the connection; its reason may still arrive.
      const fail = () =>
        !answering && reject(connectionFailure(error, target.origin, 'and nothing was imported'));
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET')
        setTimeout(fail, lateAnswerMilliseconds);
      else fail();
    });
    source.on('error', (error) => reject(new Failure(`Cannot read the file: ${error.message}.`)));
    source.pipe(counter).pipe(outgoing);
  });
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    parts.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > answerBytesMax) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The outcome of a file, as text. */
export function summaryOf(file: string, answer: ImportAnswer): string {
  const { importId, rowsRejected, rejected, from, to } = answer;
  const lines: [string, string][] = [
    ['rows read', countOf(answer.rowsRead)],
    ['accepted', countOf(answer.rowsAccepted)],
    ['rejected', countOf(rowsRejected)],
  ];
  if (answer.rowsMerged > 0)
    lines.push([
      'merged',
      `${countOf(answer.rowsMerged)} (replaced by a later row of the document)`,
    ]);
  if (answer.rowsSkipped > 0)
    lines.push(['skipped', `${countOf(answer.rowsSkipped)} (right but not counted)`]);
  if (answer.otherStores > 0)
    lines.push(['others', `${countOf(answer.otherStores)} of those skipped (of other stores)`]);
  if (answer.rounded > 0)
    lines.push(['rounded', `${countOf(answer.rounded)} amounts (to six decimals)`]);
  if (answer.rowsCoarse > 0)
    lines.push(['multi-day', `${countOf(answer.rowsCoarse)} (posted on their last day)`]);
  if (answer.rowsOlder > 0)
    lines.push(['older', `${countOf(answer.rowsOlder)} (a later version is already stored)`]);
  lines.push(['dates', from === null ? '-' : from === to ? from : `${from} to ${to}`]);
  if (answer.encoding !== null && answer.encoding !== 'utf-8')
    lines.push(['encoding', answer.encoding]);
  const shown = rejected.slice(0, rejectionsShown);
  const lineWidth = Math.max(0, ...shown.map(({ line }) => String(line).length));
  return [
    `${nameOf(file)}: ${answer.dataset} (import ${importId})`,
    ...lines.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    ...(answer.finance ? financeOf(answer.finance) : []),
    ...(shown.length > 0 ? ['  rejected rows'] : []),
    ...shown.map(
      ({ line, reason }) => `    line ${String(line).padStart(lineWidth)}  ${asTyped(reason)}`,
    ),
    ...(rowsRejected > shown.length
      ? [
          `    and ${countOf(rowsRejected - shown.length)} more: vitrine imports rejected ${importId}`,
        ]
      : []),
    ...(isEmpty(answer) ? ['  nothing was imported'] : []),
  ].join('\n');
}

/** Whether rows of an import were rejected, and none was accepted. */
function isEmpty({ rowsAccepted, rowsRejected }: ImportAnswer): boolean {
  return rowsAccepted === 0 && rowsRejected > 0;
}

/** The sums of a financial document by profit and loss line, as text. */
export function financeOf({
  sums,
  unknownCodes,
  skipped,
  superseded,
}: Omit<FinanceAnswer, 'source'>): string[] {
  const sumsOf = sums.flatMap(
    ({ currency, lines, tax, balance, skipped: ofOthers, total, documentTotal }) => {
      const all = {
        ...lines,
        'tax on sales': tax.sales,
        'tax on refunds': tax.refunds,
        balance,
        skipped: ofOthers,
      };
      const posted = Object.entries(all).filter(([, amount]) => Number(amount) !== 0);
      const ends = Object.entries({
        total,
        ...(documentTotal !== null && { 'document total': documentTotal }),
      });
      return [`  ${currency}`, ...amountsOf([...posted, ...ends])];
    },
  );
  const unknown = unknownCodes.map(({ code, currency, rows, amount }): [string, string] => [
    `${printable(code)} (${rowsOf(rows)}, ${currency})`,
    amount,
  ]);
  return [
    ...sumsOf,
    ...(unknown.length > 0
      ? ['  unknown codes, posted by their sign; assign them with "vitrine codes set"']
      : []),
    ...amountsOf(unknown),
    ...skipped.map(
      ({ source, rows }) => `  ${rowsOf(rows)} skipped, already reported by ${source}`,
    ),
    ...superseded.map(({ source, rows }) => `  ${rowsOf(rows)} of ${source} superseded`),
  ];
}

/** Aligns amounts with six decimals at the point, without trailing zeros beyond two decimals. */
function amountsOf(lines: readonly (readonly [name: string, amount: string])[]): string[] {
  const nameWidth = Math.max(...lines.map(([name]) => name.length));
  const amountWidth = Math.max(...lines.map(([, amount]) => amount.length));
  return lines.map(
    ([name, amount]) =>
      `    ${name.padEnd(nameWidth)}  ${amount.padStart(amountWidth).replace(/0{1,4}$/, '')}`,
  );
}

function rowsOf(count: number): string {
  return `${countOf(count)} ${count === 1 ? 'row' : 'rows'}`;
}

/** The name of a file without its folder. */
export function nameOf(file: string): string {
  return file === standardInput ? 'standard input' : basename(file);
}
