/** `vitrine rates`: lists exchange rates and imports those of the European Central Bank. */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/rates/contract.ts';
import { historyAddress, historyBytesMax } from '../import/ecb/history.ts';
import { addOperation, printJson } from './operation.ts';
import { showProgress } from './progress.ts';
import {
  addServiceCommand,
  causeOf,
  exitCodes,
  Failure,
  type ServiceOptions,
  serviceOf,
  UsageError,
} from './service.ts';
import { tableOf } from './table.ts';
import { importFile, summaryOf } from './upload.ts';

type Options = ServiceOptions & { readonly source: string };

/** How long a download may stall, in milliseconds. */
const stallMilliseconds = 30_000;

/** Makes `command` list exchange rates, and adds `update`. */
export function addRates(command: Command): void {
  addUpdate(command);
  addOperation(command, {
    contract: contracts.listRates,
    print({ date, rates }) {
      if (rates.length === 0)
        return console.error(
          `There are no rates for ${date}. Run "vitrine rates update" to import them.`,
        );
      console.log(
        tableOf(rates, [
          'currency',
          { field: 'perEuro', heading: 'per euro' },
          { field: 'publishedOn', heading: 'date' },
          'source',
        ]),
      );
      console.error(`Rates valid on ${date}.`);
    },
    examples: ['rates', 'rates --date 2024-02-29 --currency GBP', 'rates update'],
  });
}

function addUpdate(rates: Command): void {
  const command = rates
    .command('update')
    .description("import the history of the European Central Bank's reference rates")
    .option('--source <address-or-file>', 'the history, as CSV or its zip archive', historyAddress);
  const help = {
    about: `Replaces the published rates of the history. Your own rates, which are rows of
exchangeRates, stay, and go before them on their dates. The bank publishes new rates at about 16:00
CET on working days.`,
    examples: ['rates update', 'rates update --source src/import/ecb/eurofxref-hist.zip'],
  };
  addServiceCommand<Options>(command, help, update);
}

async function update({ source, ...options }: Options): Promise<number> {
  const service = serviceOf(options);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-rates-'));
  try {
    const file = await fileOf(source, folder);
    const mediaType = 'application/octet-stream';
    const outcome = await importFile(file, service, '/operator/documents', mediaType);
    if ('error' in outcome) throw new Failure(`${source}: ${outcome.error}`);
    if (options.json) printJson(outcome);
    else console.log(summaryOf(file, outcome));
    return outcome.rowsRejected > 0 ? exitCodes.partial : exitCodes.done;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fileOf(source: string, folder: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) {
    if (!statSync(source, { throwIfNoEntry: false })?.isFile())
      throw new UsageError(`file not found: ${source}`);
    return source;
  }
  const address = URL.parse(source);
  if (address === null)
    throw new UsageError(`--source must be a file, or an address such as ${historyAddress}`);
  const file = join(folder, basename(address.pathname) || 'rates');
  await download(address, file);
  return file;
}

async function download(address: URL, file: string): Promise<void> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), stallMilliseconds);
  try {
    const response = await fetch(address, { signal: stalled.signal, redirect: 'manual' });
    if (!response.ok || response.body === null)
      throw downloadFailure(address, `the server answered ${response.status}`);
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
            if (bytes > historyBytesMax)
              throw downloadFailure(address, 'it is too large to be the history of rates');
            progress.advance(part.length);
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
    if (stalled.signal.aborted)
      throw downloadFailure(address, `no data arrived for ${stallMilliseconds / 1000} seconds`);
    const { code, message } = causeOf(error);
    throw downloadFailure(address, code ?? message);
  } finally {
    clearTimeout(timer);
  }
}

function downloadFailure({ href }: URL, reason: string): Failure {
  return new Failure(
    `Could not download ${href}: ${reason}. Nothing was imported. Download the file yourself and name it with --source; ` +
      'behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.',
  );
}
