/** `vitrine import`: sends documents to a running service, whose operator interface does all the work. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { importFile, nameOf, standardInput, summaryOf } from './sending.ts';
import {
  addressOf,
  addServiceOptions,
  endWell,
  exitCodes,
  Failure,
  Misuse,
  type ServiceOptions,
  tokenOf,
} from './service.ts';

type Options = ServiceOptions & {
  readonly channel?: string;
  readonly dataset?: string;
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly coarse?: 'lastDay';
  readonly attribution?: '7' | '14';
  readonly onError?: 'skip' | 'abort';
  readonly format?: Format;
  readonly charset?: string;
};
type Format = 'ndjson' | 'csv';

const mediaTypes: Readonly<Record<Format, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};

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

/** Makes `command` the import of files. */
export function addImport(command: Command): void {
  command
    .argument('<file...>', 'the files, "-" for standard input')
    .option(
      '--channel <channelId>',
      'the channel that the rows belong to; left out for exchange rates',
    )
    .option(
      '--dataset <name>',
      'the rows are of this dataset (orderLines, traffic, ...; "vitrine documents" lists them)',
    )
    .option('--type <kind>', 'the kind of the document, where it is not to be recognised')
    .option(
      '--from <date>',
      'first date that the document speaks for (YYYY-MM-DD), where its rows do not begin with it',
    )
    .option('--to <date>', 'last date that the document speaks for')
    .addOption(
      new Option(
        '--coarse <how>',
        'take rows that speak for several days, and book each on its last day',
      ).choices(['lastDay']),
    )
    .addOption(
      new Option(
        '--attribution <days>',
        'days after a click in which sales count as attributed to Sponsored Products; 14 if not given',
      ).choices(['7', '14']),
    )
    .addOption(
      new Option(
        '--on-error <how>',
        'what one bad row costs: itself, or the whole document',
      ).choices(['skip', 'abort']),
    )
    .addOption(
      new Option(
        '--format <format>',
        'how rows of a dataset are written; told by the name of the file',
      ).choices(['ndjson', 'csv']),
    )
    .option(
      '--charset <name>',
      'the encoding of the files, where it is not UTF-8 (windows-1252, shift_jis, ...)',
    );
  addServiceOptions(command, 'one JSON object for each file, a line each')
    .addHelpText('after', moreHelp)
    .action((files: string[], options: Options) =>
      endWell(command, async () => {
        const problems = problemsOf(files, options);
        if (problems.length > 0) throw new Misuse(problems.join('\nerror: '));
        return importAll(files, options);
      }),
    );
}

/** Whatever can be known to be wrong before anything is sent. */
function problemsOf(files: readonly string[], options: Options): string[] {
  const { dataset, type, coarse, attribution, format, from, to } = options;
  const problems: string[] = [];
  if (dataset !== undefined && type !== undefined)
    problems.push('--type is for documents: leave it out where --dataset is given');
  if (dataset !== undefined && coarse !== undefined)
    problems.push('--coarse is for documents: leave it out where --dataset is given');
  if (dataset !== undefined && attribution !== undefined) {
    problems.push('--attribution is for documents: leave it out where --dataset is given');
  }
  if (dataset === undefined && format !== undefined)
    problems.push('--format is for rows of a dataset: name it by --dataset');
  if ((from === undefined) !== (to === undefined))
    problems.push('--from and --to must be given together');
  try {
    addressOf(options);
  } catch (error) {
    problems.push((error as Misuse).message);
  }
  if (files.filter((file) => file === standardInput).length > 1)
    problems.push('standard input can be imported only once');
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
  const address = addressOf(options);
  let worst: number = exitCodes.done;
  try {
    const service = { address, token: tokenOf(options, address) };
    for (const file of files) {
      const outcome = await importFile(file, service, pathOf(options), mediaTypeOf(file, options));
      if ('error' in outcome) {
        worst = exitCodes.failed;
        if (options.json) console.log(JSON.stringify({ file, ...outcome }));
        else console.error(`${nameOf(file)}: ${outcome.error}`);
      } else {
        if (outcome.rowsRejected > 0 && worst === exitCodes.done) worst = exitCodes.partly;
        console.log(options.json ? JSON.stringify({ file, ...outcome }) : summaryOf(file, outcome));
      }
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!options.json) throw error;
    console.log(JSON.stringify({ error: error.message }));
    worst = exitCodes.failed;
  }
  return worst;
}

function pathOf({
  dataset,
  channel,
  type,
  from,
  to,
  coarse,
  attribution,
  onError,
}: Options): string {
  const given = Object.entries({
    channelId: channel,
    type,
    from,
    to,
    coarse,
    attribution,
    onError,
  }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given as [string, string][]);
  return `${dataset === undefined ? '/operator/documents' : `/operator/imports/${encodeURIComponent(dataset)}`}?${query}`;
}

function mediaTypeOf(file: string, { dataset, format, charset }: Options): string {
  const byName: Format = /\.(csv|tsv|txt)(\.gz|\.zip)?$/i.test(file) ? 'csv' : 'ndjson';
  const media = dataset === undefined ? 'application/octet-stream' : mediaTypes[format ?? byName];
  return charset === undefined ? media : `${media}; charset=${charset}`;
}
