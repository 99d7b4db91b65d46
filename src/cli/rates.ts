/** `vitrine rates`: which exchange rates hold, and bringing in those of the European Central Bank. */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { overviewContracts as contracts } from '../endpoints/operator/overviewContracts.ts';
import { addOperation, helpOf, printJson } from './operation.ts';
import { showProgress } from './progress.ts';
import { importFile, summaryOf } from './sending.ts';
import {
  addServiceOptions,
  causeOf,
  endWell,
  exitCodes,
  Failure,
  Misuse,
  type ServiceOptions,
  serviceOf,
} from './service.ts';
import { tableOf } from './table.ts';

const history = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';
/** How long a download may stand still, in milliseconds. */
const silenceMilliseconds = 30_000;
/** The history has less than 1 MB; whatever is much larger is something else. */
const downloadBytesMax = 64 * 1024 * 1024;

/** Makes `command` the list of rates, and adds their update. */
export function addRates(command: Command): void {
  addUpdate(command);
  addOperation(command, {
    contract: contracts.listRates,
    tell({ date, rates }) {
      if (rates.length === 0)
        return console.error(
          `No rate holds on ${date}. "vitrine rates update" brings the history in.`,
        );
      console.log(
        tableOf(rates, [
          'currency',
          { field: 'perEuro', heading: 'per euro' },
          { field: 'publishedOn', heading: 'published on' },
        ]),
      );
      console.error(`These hold on ${date}.`);
    },
    examples: ['rates', 'rates --date 2024-02-29 --currency GBP', 'rates update'],
  });
}

function addUpdate(rates: Command): void {
  const command = rates
    .command('update')
    .description("bring in the European Central Bank's history of euro reference rates")
    .option(
      '--source <address-or-file>',
      'where the history is, as CSV or its zip archive',
      history,
    );
  addServiceOptions(command)
    .addHelpText(
      'after',
      helpOf(
        'The history replaces what is held on its dates; the bank adds a day at about 16:00 CET of each of its working days.',
        ['rates update', 'rates update --source eurofxref-hist.zip'],
      ),
    )
    .action((options: ServiceOptions & { readonly source: string }) =>
      endWell(command, () => update(options)),
    );
}

async function update({
  source,
  ...options
}: ServiceOptions & { readonly source: string }): Promise<number> {
  const service = serviceOf(options);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-rates-'));
  try {
    const file = await fileOf(source, folder);
    const outcome = await importFile(
      file,
      service,
      '/operator/documents',
      'application/octet-stream',
    );
    if ('error' in outcome) throw new Failure(`${source}: ${outcome.error}`);
    if (options.json) printJson(outcome);
    else console.log(summaryOf(file, outcome));
    return outcome.rowsRejected > 0 ? exitCodes.partly : exitCodes.done;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fileOf(source: string, folder: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) {
    if (!statSync(source, { throwIfNoEntry: false })?.isFile())
      throw new Misuse(`there is no file ${source}`);
    return source;
  }
  const address = URL.parse(source);
  if (address === null)
    throw new Misuse(`--source must be a file, or an address such as ${history}`);
  const file = join(folder, basename(address.pathname) || 'rates');
  await download(address, file);
  return file;
}

async function download(address: URL, file: string): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMilliseconds);
  try {
    const response = await fetch(address, { signal: silence.signal });
    if (!response.ok || response.body === null)
      throw undone(address, `it was answered with the status ${response.status}`);
    const length = Number(response.headers.get('content-length'));
    const progress = await showProgress(
      basename(file),
      length > 0 ? length : undefined,
      'downloading',
    );
    let bytes = 0;
    try {
      await pipeline(
        response.body,
        async function* (parts: AsyncIterable<Uint8Array>) {
          for await (const part of parts) {
            timer.refresh();
            bytes += part.length;
            if (bytes > downloadBytesMax)
              throw undone(address, 'it is much too large to be the history of rates');
            progress.moved(part.length);
            yield part;
          }
        },
        createWriteStream(file),
      );
    } finally {
      progress.end();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (silence.signal.aborted)
      throw undone(address, `nothing came for ${silenceMilliseconds / 1000} seconds`);
    const { code, message } = causeOf(error);
    throw undone(address, code ?? message);
  } finally {
    clearTimeout(timer);
  }
}

function undone({ href }: URL, reason: string): Failure {
  return new Failure(
    `${href} could not be downloaded: ${reason}. Nothing was imported. Download the file in another way and name it by --source; ` +
      'behind a proxy set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.',
  );
}
