/** `vitrine import`: uploads documents to a running service. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import {
  addressOf,
  addServiceCommand,
  exitCodes,
  Failure,
  type ServiceOptions,
  tokenOf,
  UsageError,
} from './service.ts';
import { importFile, nameOf, standardInput, summaryOf } from './upload.ts';

type Options = ServiceOptions & {
  readonly channel?: string;
  readonly dataset?: string;
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly coarse?: 'lastDay';
  readonly zone?: 'channel';
  readonly decimal?: 'comma' | 'point';
  readonly dates?: 'dayFirst' | 'monthFirst';
  readonly attribution?: '7' | '14';
  readonly confirm?: 'fewRows';
  readonly replace?: true;
  readonly onError?: 'skip' | 'abort';
  readonly format?: Format;
  readonly charset?: string;
};
type Format = 'ndjson' | 'csv';

const mediaTypes: Readonly<Record<Format, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};

const help = {
  about: `Without --dataset, files are documents as downloaded from the marketplace, and their kind
is detected. Files may be plain, gzip or zip; "-" is standard input.`,
  json: 'print one JSON object per file, each on its own line',
  exitCodes: `Exit codes:
  0  all rows of all files were imported
  1  a document was refused or could not be sent; its facts are unchanged
  2  the command is invalid or a file cannot be read; nothing was sent
  3  some rows were rejected; if none was accepted, nothing was imported, and it says so`,
  examples: [
    'import samples/sales-and-traffic.json samples/settlement.txt --channel acme-us',
    'import samples/unit-costs.csv --channel acme-us --dataset unitCosts --on-error abort',
    'import samples/sp-campaigns.json --channel acme-us --from 2026-11-01 --to 2026-11-07',
    'import src/import/ecb/eurofxref-hist.zip',
    'import - --channel acme-us --json < samples/orders.jsonl',
  ],
};

/** Options with a fixed set of values. */
const choices: readonly [flags: string, about: string, values: readonly string[]][] = [
  ['--coarse <how>', 'accept rows that cover several days, posted on their last day', ['lastDay']],
  [
    '--zone <which>',
    "take times without an offset from UTC in the channel's time zone",
    ['channel'],
  ],
  [
    '--decimal <mark>',
    'read amounts with a decimal comma, such as 1.234,56, or with a point (default: as the document shows)',
    ['comma', 'point'],
  ],
  [
    '--dates <order>',
    'read dates such as 3/4/2026 with the day or the month first (default: as the document shows)',
    ['dayFirst', 'monthFirst'],
  ],
  [
    '--attribution <days>',
    'attribution window of Sponsored Products in days after a click (default: that of the document)',
    ['7', '14'],
  ],
  [
    '--confirm <what>',
    'accept an inventory report with far fewer rows than the one before',
    ['fewRows'],
  ],
  [
    '--on-error <how>',
    'for an invalid row: skip it, or abort the whole document',
    ['skip', 'abort'],
  ],
  [
    '--format <format>',
    'format of the rows of a dataset (default: from the file name)',
    ['ndjson', 'csv'],
  ],
];

/** Makes `command` import files. */
export function addImport(command: Command): void {
  command
    .argument('<file...>', 'the files; "-" is standard input')
    .option('--channel <channelId>', 'the channel of the rows; not needed for exchange rates')
    .option(
      '--dataset <name>',
      'import rows of this dataset (orderLines, traffic, ...; see "vitrine documents")',
    )
    .option('--type <kind>', 'the document kind, instead of detecting it')
    .option(
      '--from <date>',
      'first date that the document covers (YYYY-MM-DD), if earlier than its first row',
    )
    .option('--to <date>', 'last date that the document covers')
    .option(
      '--replace',
      'remove existing facts of other periods, such as weeks where the document has days, or of more detail',
    )
    .option(
      '--charset <name>',
      'encoding of the files (utf-8, windows-1252, ...; default: found by their letters)',
    );
  for (const [flags, about, values] of choices)
    command.addOption(new Option(flags, about).choices(values));
  addServiceCommand<Options>(command, help, (options, args) => {
    const [files] = args as [string[]];
    const problems = problemsOf(files, options);
    if (problems.length > 0) throw new UsageError(problems.join('\nerror: '));
    return importAll(files, options);
  });
}

/** Problems that can be found before anything is sent. */
function problemsOf(files: readonly string[], options: Options): string[] {
  const { dataset, format, from, to } = options;
  const ofDocuments =
    dataset === undefined ? [] : (['type', 'coarse', 'attribution', 'confirm'] as const);
  const problems = ofDocuments
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name} is for documents and cannot be used with --dataset`);
  if (dataset === undefined && format !== undefined)
    problems.push('--format is for rows of a dataset: name it with --dataset');
  if ((from === undefined) !== (to === undefined))
    problems.push('--from and --to must be given together');
  try {
    addressOf(options);
  } catch (error) {
    problems.push((error as UsageError).message);
  }
  if (files.filter((file) => file === standardInput).length > 1)
    problems.push('standard input can be imported only once');
  for (const file of files) {
    if (file === standardInput) continue;
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) problems.push(`file not found: ${file}`);
    else if (found.isDirectory()) problems.push(`${file} is a folder`);
  }
  return problems;
}

/** Imports the files in turn and returns the exit code; stops at errors that affect every file. */
async function importAll(files: readonly string[], options: Options): Promise<number> {
  const address = addressOf(options);
  let worst: number = exitCodes.done;
  try {
    const service = { address, token: tokenOf(options, address) };
    for (const file of files) {
      const outcome = await importFile(
        file,
        service,
        pathOf(file, options),
        mediaTypeOf(file, options),
      );
      if (!('importId' in outcome)) {
        worst = exitCodes.failed;
        if (options.json) console.log(JSON.stringify({ file, ...outcome }));
        else console.error(`${nameOf(file)}: ${outcome.error}`);
      } else {
        if (outcome.rowsRejected > 0 && worst === exitCodes.done) worst = exitCodes.partial;
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

function pathOf(file: string, { dataset, channel, ...options }: Options): string {
  const { type, from, to, coarse, zone, decimal, dates, attribution, confirm } = options;
  const { replace, onError } = options;
  const readings = { coarse, zone, decimal, dates, attribution, confirm };
  const fileName = file === standardInput ? undefined : nameOf(file);
  const query = { channelId: channel, type, from, to, ...readings, replace, onError, fileName };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const path =
    dataset === undefined
      ? '/operator/documents'
      : `/operator/imports/${encodeURIComponent(dataset)}`;
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function mediaTypeOf(file: string, { dataset, format, charset }: Options): string {
  const byName: Format = /\.(csv|tsv|txt)(\.gz|\.zip)?$/i.test(file) ? 'csv' : 'ndjson';
  const media = dataset === undefined ? 'application/octet-stream' : mediaTypes[format ?? byName];
  return charset === undefined ? media : `${media}; charset=${charset}`;
}
