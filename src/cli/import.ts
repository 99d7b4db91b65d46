/** `vitrine import`: sends documents to a running service, whose operator interface does all the work. */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename, join, resolve } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { type Command, Option } from 'commander';

type Options = {
  readonly channel?: string;
  readonly dataset?: string;
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly coarse?: 'lastDay';
  readonly onError?: 'skip' | 'abort';
  readonly format?: Format;
  readonly charset?: string;
  readonly url?: string;
  readonly token?: string;
  readonly json?: true;
};
type Format = 'ndjson' | 'csv';

/** What the service answers to an import; `POST /operator/imports/{dataset}` describes it. */
type ImportAnswer = {
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
};

/** What the command ends with; the help of the command tells of them. */
const exitCodes = { allIn: 0, failed: 1, badUsage: 2, someRefused: 3 } as const;
const mediaTypes: Readonly<Record<Format, string>> = { ndjson: 'application/x-ndjson', csv: 'text/csv' };
const standardInput = '-';
const rejectionsShown = 10;
/** How long an answer may take to arrive after the service has closed the connection on the rest of a document. */
const lastWordMilliseconds = 500;
/** The largest answer that is read, in bytes. */
const answerBytesMax = 4 * 1024 * 1024;

const moreHelp = `
Without --dataset the files are documents as the marketplace gives them, and their kind is recognised.
Files may be plain, gzip or zip. "-" is standard input.

Exit codes:
  0  every row of every file is in
  1  a document was refused or could not be sent; its facts are as they were
  2  the command was not understood, or a file cannot be read; nothing was sent
  3  every document is in, but some of their rows were refused

Examples:
  $ vitrine import sales-and-traffic.json.gz --channel acme-us
  $ vitrine import 2026-*.ndjson --channel acme-us --dataset orderLines
  $ vitrine import traffic.csv --channel acme-us --dataset traffic --from 2026-01-01 --to 2026-01-31 --on-error abort
  $ vitrine import eurofxref-hist.zip
  $ zcat orders.gz | vitrine import - --channel acme-us --dataset orders --json`;

/** Adds `vitrine import`. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('import files into a running service, and say what became of their rows')
    .argument('<file...>', 'the files, "-" for standard input')
    .option('--channel <channelId>', 'the channel that the rows belong to; left out for exchange rates')
    .option('--dataset <name>', 'the rows are of this dataset (orderLines, traffic, ...)')
    .option('--type <kind>', 'the kind of the document, where it is not to be recognised')
    .option('--from <date>', 'first date that the document speaks for (YYYY-MM-DD), where its rows do not begin with it')
    .option('--to <date>', 'last date that the document speaks for')
    .addOption(new Option('--coarse <how>', 'take rows that speak for several days, and book each on its last day').choices(['lastDay']))
    .addOption(new Option('--on-error <how>', 'what one bad row costs: itself, or the whole document').choices(['skip', 'abort']))
    .addOption(
      new Option('--format <format>', 'how rows of a dataset are written; told by the name of the file').choices(['ndjson', 'csv']),
    )
    .option('--charset <name>', 'the encoding of the files, where it is not UTF-8 (windows-1252, shift_jis, ...)')
    .option('--url <address>', 'the service (VITRINE_PUBLIC_URL, else http://127.0.0.1:8080)')
    .option('--token <token>', "the operator's token (VITRINE_OPERATOR_TOKEN, else that of the data folder)")
    .option('--json', 'one JSON object for each file, a line each')
    .addHelpText('after', moreHelp)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.allIn : exitCodes.badUsage))
    .action(async (files: string[], options: Options, command: Command) => {
      const problems = problemsOf(files, options);
      if (problems.length > 0) command.error(`error: ${problems.join('\nerror: ')}`);
      process.exitCode = await importAll(files, options);
    });
}

/** Whatever can be known to be wrong before anything is sent. */
function problemsOf(files: readonly string[], { dataset, type, coarse, format, from, to, url }: Options): string[] {
  const problems: string[] = [];
  if (dataset !== undefined && type !== undefined) problems.push('--type is for documents: leave it out where --dataset is given');
  if (dataset !== undefined && coarse !== undefined) problems.push('--coarse is for documents: leave it out where --dataset is given');
  if (dataset === undefined && format !== undefined) problems.push('--format is for rows of a dataset: name it by --dataset');
  if ((from === undefined) !== (to === undefined)) problems.push('--from and --to must be given together');
  if (url !== undefined && !['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '')) {
    problems.push('--url must be an address such as https://api.example.com');
  }
  if (files.filter((file) => file === standardInput).length > 1) problems.push('standard input can be imported only once');
  for (const file of files) {
    if (file === standardInput) continue;
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) problems.push(`there is no file ${file}`);
    else if (found.isDirectory()) problems.push(`${file} is a folder`);
  }
  return problems;
}

/** Imports one file after the other and returns the exit code. What would fail for every file ends it. */
async function importAll(files: readonly string[], options: Options): Promise<number> {
  const address = (options.url ?? process.env.VITRINE_PUBLIC_URL ?? `http://127.0.0.1:${process.env.VITRINE_PORT || 8080}`).replace(
    /\/+$/,
    '',
  );
  let worst: number = exitCodes.allIn;
  try {
    const token = tokenOf(options, address);
    for (const file of files) {
      const outcome = await importFile(file, options, address, token);
      if ('error' in outcome) {
        worst = exitCodes.failed;
        if (options.json) console.log(JSON.stringify({ file, ...outcome }));
        else console.error(`${nameOf(file)}: ${outcome.error}`);
      } else {
        if (outcome.rowsRejected > 0 && worst === exitCodes.allIn) worst = exitCodes.someRefused;
        console.log(options.json ? JSON.stringify({ file, ...outcome }) : summaryOf(file, outcome, address));
      }
    }
  } catch (error) {
    if (!(error instanceof Hopeless)) throw error;
    if (options.json) console.log(JSON.stringify({ error: error.message }));
    else console.error(error.message);
    worst = exitCodes.failed;
  }
  return worst;
}

/** What ends the command, because no other file would fare better. */
class Hopeless extends Error {}

/** The token of the data folder is sent only to what the environment says is this installation's own service, or to this machine. */
function tokenOf({ token, url }: Options, address: string): string {
  const given = token ?? process.env.VITRINE_OPERATOR_TOKEN?.trim();
  if (given) return given;
  const isOwn = url === undefined || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
  if (!isOwn) throw new Hopeless(`The operator's token for ${address} is not known: give it by --token or VITRINE_OPERATOR_TOKEN.`);
  const file = join(resolve(process.env.VITRINE_DATA?.trim() || './data'), 'operator-token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Hopeless(
      `The operator's token is not known: there is none at ${file}. Start the service there (npm run serve), name its data folder by VITRINE_DATA, or give the token by --token or VITRINE_OPERATOR_TOKEN.`,
    );
  }
}

async function importFile(
  file: string,
  options: Options,
  address: string,
  token: string,
): Promise<ImportAnswer | { readonly status: number; readonly error: string }> {
  const { status, text } = await send(file, targetOf(address, options), token, mediaTypeOf(file, options));
  const answer = parsed(text);
  if (status === 200 && answer) return answer as unknown as ImportAnswer;
  const reason = typeof answer?.error === 'string' ? answer.error : `the service answered ${status}: ${text.slice(0, 200)}`;
  if (status === 401 || status === 403) throw new Hopeless(`The operator's token was not accepted by ${address}: ${reason}.`);
  return { status, error: status >= 500 ? `not imported, and may be tried again: ${reason}` : `refused: ${reason}` };
}

function targetOf(address: string, { dataset, channel, type, from, to, coarse, onError }: Options): URL {
  const target = new URL(address + (dataset === undefined ? '/operator/documents' : `/operator/imports/${encodeURIComponent(dataset)}`));
  for (const [name, value] of Object.entries({ channelId: channel, type, from, to, coarse, onError })) {
    if (value !== undefined) target.searchParams.set(name, value);
  }
  return target;
}

function mediaTypeOf(file: string, { dataset, format, charset }: Options): string {
  const byName: Format = /\.(csv|tsv|txt)(\.gz|\.zip)?$/i.test(file) ? 'csv' : 'ndjson';
  const media = dataset === undefined ? 'application/octet-stream' : mediaTypes[format ?? byName];
  return charset === undefined ? media : `${media}; charset=${charset}`;
}

/** Sends the file as it is read from the disk. Resolves with the answer, which may come before all is sent. */
async function send(file: string, target: URL, token: string, mediaType: string): Promise<{ status: number; text: string }> {
  const bytes = file === standardInput ? undefined : statSync(file).size;
  const source: Readable = file === standardInput ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  const progress = await showProgress(nameOf(file), bytes);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': mediaType,
    accept: 'application/json',
    ...(bytes !== undefined && { 'content-length': bytes }),
  };
  const outgoing = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, { method: 'POST', headers });
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.sent(chunk.length);
      done(null, chunk);
    },
    flush(done) {
      progress.landing();
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

function answerTo(outgoing: ClientRequest, source: Readable, counter: Transform, target: URL): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let answering = false;
    outgoing.on('response', (incoming) => {
      answering = true;
      counter.unpipe(outgoing);
      textOf(incoming).then((text) => resolve({ status: incoming.statusCode ?? 0, text }), reject);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // Who refuses a document before its end closes the connection, and the reason may still be on its way.
      const fail = () => !answering && reject(sendingFailed(error, target));
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') setTimeout(fail, lastWordMilliseconds);
      else fail();
    });
    source.on('error', (error) => reject(new Hopeless(`The document cannot be read: ${error.message}.`)));
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

function sendingFailed({ code, message }: NodeJS.ErrnoException, { origin }: URL): Hopeless {
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Hopeless(
      `No service answers at ${origin}. Start one here with "npm run serve" ("npm start" brings demonstration data), or name another by --url.`,
    );
  }
  return new Hopeless(`The connection to ${origin} broke, and nothing of the document was imported: ${message || code}.`);
}

type Progress = { sent(bytes: number): void; landing(): void; end(): void };
const noProgress: Progress = { sent: () => undefined, landing: () => undefined, end: () => undefined };

/** A bar of the bytes that were sent, on a terminal only. */
async function showProgress(name: string, bytes: number | undefined): Promise<Progress> {
  if (!process.stderr.isTTY) return noProgress;
  const { default: bars } = await import('cli-progress');
  const form = bytes === undefined ? '{name}  {megabytes} MB  {state}' : '{name}  [{bar}] {percentage} %  {megabytes} MB  {state}';
  const bar = new bars.SingleBar(
    { format: form, clearOnComplete: true, hideCursor: true, stream: process.stderr },
    bars.Presets.shades_classic,
  );
  let sent = 0;
  const payload = (state: string) => ({ name, state, megabytes: (sent / 1e6).toFixed(1) });
  bar.start(bytes ?? 0, 0, payload('sending'));
  return {
    sent(more) {
      sent += more;
      bar.update(sent, payload('sending'));
    },
    landing: () => bar.update(sent, payload('landing')),
    end: () => bar.stop(),
  };
}

function summaryOf(file: string, answer: ImportAnswer, address: string): string {
  const { importId, rowsRejected, rejected, from, to } = answer;
  const count = (value: number) => value.toLocaleString('en-GB');
  const lines: [string, string][] = [
    ['rows read', count(answer.rowsRead)],
    ['accepted', count(answer.rowsAccepted)],
    ['refused', count(rowsRejected)],
  ];
  if (answer.rowsCoarse > 0) lines.push(['coarse', `${count(answer.rowsCoarse)} (booked on the last of their days)`]);
  if (answer.rowsOlder > 0) lines.push(['older', `${count(answer.rowsOlder)} (what is held was updated later)`]);
  lines.push(['dates', from === null ? '-' : from === to ? from : `${from} to ${to}`]);
  const shown = rejected.slice(0, rejectionsShown);
  const lineWidth = Math.max(0, ...shown.map(({ line }) => String(line).length));
  return [
    `${nameOf(file)}: ${answer.dataset} (import ${importId})`,
    ...lines.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    ...(shown.length > 0 ? ['  refused rows'] : []),
    ...shown.map(({ line, reason }) => `    line ${String(line).padStart(lineWidth)}  ${reason}`),
    ...(rowsRejected > shown.length
      ? [`    and ${count(rowsRejected - shown.length)} more: ${address}/operator/imports/${importId}/rejected`]
      : []),
  ].join('\n');
}

function nameOf(file: string): string {
  return file === standardInput ? 'standard input' : basename(file);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
