/** Sends files to the service as they are read from the disk, and says what became of their rows. */
import { createReadStream, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { showProgress } from './progress.ts';
import { connectionFailure, Failure, parsed, reasonOf, refusal, type Service } from './service.ts';
import { countOf, tame } from './table.ts';

/** The name of a file that stands for standard input. */
export const standardInput = '-';

/** What the service answers to an import; `POST /operator/imports/{dataset}` describes it. */
export type ImportAnswer = {
  readonly importId: number;
  readonly dataset: string;
  readonly rowsRead: number;
  readonly rowsAccepted: number;
  readonly rowsRejected: number;
  readonly rowsCoarse: number;
  readonly rowsOlder: number;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly from: string | null;
  readonly to: string | null;
  readonly finance?: Finance;
};

type Finance = {
  readonly sums: readonly {
    readonly currency: string;
    readonly lines: Readonly<Record<string, string>>;
    readonly tax: { readonly sales: string; readonly refunds: string };
    readonly balance: string;
    readonly leftOut: string;
    readonly total: string;
    readonly documentTotal: string | null;
  }[];
  readonly unknownCodes: readonly {
    readonly code: string;
    readonly currency: string;
    readonly rows: number;
    readonly amount: string;
  }[];
  readonly leftOut: readonly { readonly told: string; readonly rows: number }[];
  readonly gaveWay: readonly { readonly told: string; readonly rows: number }[];
};

/** Why a document is not in. */
export type ImportRefusal = { readonly status: number; readonly error: string };

const rejectionsShown = 10;
/** How long an answer may take to arrive after the service has closed the connection on the rest of a document. */
const lastWordMilliseconds = 500;
/** The largest answer that is read, in bytes. */
const answerBytesMax = 4 * 1024 * 1024;

/** Imports a file, or standard input, to a path of the service; throws Failure for what would fail for every file. */
export async function importFile(
  file: string,
  service: Service,
  path: string,
  mediaType: string,
): Promise<ImportAnswer | ImportRefusal> {
  const { address } = service;
  const { status, text } = await send(file, new URL(address + path), service.token, mediaType);
  const answer = parsed(text);
  if (status === 200 && answer) return answer as unknown as ImportAnswer;
  if (status === 401 || status === 403) throw refusal(status, text, address);
  const reason = reasonOf(status, text);
  return {
    status,
    error: status >= 500 ? `not imported, and may be tried again: ${reason}` : `refused: ${reason}`,
  };
}

/** Sends the file. Resolves with the answer, which may come before all is sent. */
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
      progress.moved(chunk.length);
      done(null, chunk);
    },
    flush(done) {
      progress.now('landing');
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
      // Who refuses a document before its end closes the connection, and the reason may still be on its way.
      const fail = () =>
        !answering &&
        reject(connectionFailure(error, target.origin, 'and nothing of the document was imported'));
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET')
        setTimeout(fail, lastWordMilliseconds);
      else fail();
    });
    source.on('error', (error) =>
      reject(new Failure(`The document cannot be read: ${error.message}.`)),
    );
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

/** What became of a file, for people. */
export function summaryOf(file: string, answer: ImportAnswer): string {
  const { importId, rowsRejected, rejected, from, to } = answer;
  const lines: [string, string][] = [
    ['rows read', countOf(answer.rowsRead)],
    ['accepted', countOf(answer.rowsAccepted)],
    ['refused', countOf(rowsRejected)],
  ];
  if (answer.rowsCoarse > 0)
    lines.push(['coarse', `${countOf(answer.rowsCoarse)} (booked on the last of their days)`]);
  if (answer.rowsOlder > 0)
    lines.push(['older', `${countOf(answer.rowsOlder)} (what is held was updated later)`]);
  lines.push(['dates', from === null ? '-' : from === to ? from : `${from} to ${to}`]);
  const shown = rejected.slice(0, rejectionsShown);
  const lineWidth = Math.max(0, ...shown.map(({ line }) => String(line).length));
  return [
    `${nameOf(file)}: ${answer.dataset} (import ${importId})`,
    ...lines.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    ...(answer.finance ? financeOf(answer.finance) : []),
    ...(shown.length > 0 ? ['  refused rows'] : []),
    ...shown.map(({ line, reason }) => `    line ${String(line).padStart(lineWidth)}  ${reason}`),
    ...(rowsRejected > shown.length
      ? [
          `    and ${countOf(rowsRejected - shown.length)} more: vitrine imports rejected ${importId}`,
        ]
      : []),
  ].join('\n');
}

/** What a financial document came to, line by line, for people. */
export function financeOf({ sums, unknownCodes, leftOut, gaveWay }: Finance): string[] {
  const sumsOf = sums.flatMap(
    ({ currency, lines, tax, balance, leftOut: out, total, documentTotal }) => {
      const all = {
        ...lines,
        'tax on sales': tax.sales,
        'tax on refunds': tax.refunds,
        balance,
        'left out': out,
      };
      const booked = Object.entries(all).filter(([, amount]) => Number(amount) !== 0);
      const ends = Object.entries({
        total,
        ...(documentTotal !== null && { 'by the document': documentTotal }),
      });
      return [`  ${currency}`, ...amountsOf([...booked, ...ends])];
    },
  );
  const unknown = unknownCodes.map(({ code, currency, rows, amount }): [string, string] => [
    `${tame(code)} (${rowsOf(rows)}, ${currency})`,
    amount,
  ]);
  return [
    ...sumsOf,
    ...(unknown.length > 0
      ? ['  unknown codes, booked by their sign: "vitrine codes set" says where they belong']
      : []),
    ...amountsOf(unknown),
    ...leftOut.map(({ told, rows }) => `  ${rowsOf(rows)} left out, told by ${told}`),
    ...gaveWay.map(({ told, rows }) => `  ${rowsOf(rows)} of ${told} gave way`),
  ];
}

/** Names and their amounts, which all have six decimals, with one point below the other and without the zeros that no currency needs. */
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

/** A file by its name alone. */
export function nameOf(file: string): string {
  return file === standardInput ? 'standard input' : basename(file);
}
