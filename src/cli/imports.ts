/** `vitrine imports`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/imports/contract.ts';
import { printRemoved } from './facts.ts';
import { addList, addOperation, requestOf } from './operation.ts';
import { wholeNumber } from './options.ts';
import { addServiceCommand, open, pipeOut, refusal, serviceOf } from './service.ts';
import { countOf, recordOf, tableOf } from './table.ts';
import { financeOf } from './upload.ts';

/** Rejected rows that are shown without `--json`. */
const rejectionsShownMax = 1_000;
type Rejection = { readonly line: number; readonly reason: string };

/** Adds the commands for imports. */
export function addImports(command: Command): void {
  addList(command, {
    contract: contracts.listImports,
    verb: 'list',
    rows: 'imports',
    columns: [
      { field: 'importId', heading: 'import' },
      { field: 'channelId', canCut: true },
      { field: 'dataset', canCut: true },
      'state',
      { field: 'rowsRead', heading: 'read' },
      { field: 'rowsRejected', heading: 'rejected' },
      'startedAt',
      { field: 'from', canDrop: true },
      { field: 'to', canDrop: true },
      { field: 'rowsAccepted', heading: 'accepted', canDrop: true },
      { field: 'error', canDrop: true },
    ],
    examples: ['imports list --page-size 20', 'imports list --channel northwind-us --state failed'],
  });
  addOperation(command, {
    contract: contracts.readImport,
    verb: 'show',
    print: ({ finance, ...record }) =>
      console.log([recordOf(record), ...(finance ? financeOf(finance) : [])].join('\n')),
    examples: ['imports show 1', 'imports show 1 --json'],
  });
  addRejected(command);
  addOperation(command, {
    contract: contracts.undoImport,
    verb: 'undo',
    print: printRemoved,
    examples: ['imports undo 1 --dry-run', 'imports undo 1 --yes'],
  });
}

/** There may be millions of rejected rows, so the answer is streamed. */
function addRejected(imports: Command): void {
  const contract = contracts.listImportRejections;
  const command = imports
    .command('rejected')
    .description('list the rejected rows of an import')
    .argument('<importId>', 'number of the import', wholeNumber);
  const help = {
    about: `Shows the first ${countOf(rejectionsShownMax)} rows; --json prints up to 1,000.`,
    examples: ['imports rejected 1', 'imports rejected 1 --json > rejected.json'],
  };
  addServiceCommand(command, help, async (options, args) => {
    const [importId] = args as [number];
    const service = serviceOf(options);
    const { path } = requestOf(contract, { importId });
    const response = await open(service, contract.method, path);
    if (response.status !== 200)
      throw refusal(response.status, await response.text(), service.address, ['importId']);
    if (options.json) {
      await pipeOut(response);
      process.stdout.write('\n');
    } else print(await firstRows(response));
  });
}

/** Reads the rows that are shown, and one more. */
async function firstRows(response: Response): Promise<Rejection[]> {
  // Quotation marks in a reason are escaped, so this text occurs only between rows.
  const separator = '},{"line":';
  let text = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    const rows = text.split(separator);
    if (rows.length > rejectionsShownMax + 1) {
      text = `${rows.slice(0, rejectionsShownMax + 1).join(separator)}}]}`;
      break;
    }
  }
  return JSON.parse(text).rejected;
}

function print(rejections: readonly Rejection[]): void {
  if (rejections.length === 0) console.error('No rows were rejected.');
  else
    console.log(
      tableOf(rejections.slice(0, rejectionsShownMax), ['line', { field: 'reason', canCut: true }]),
    );
  if (rejections.length > rejectionsShownMax)
    console.error(
      `Showing the first ${countOf(rejectionsShownMax)} rows. Use --json for up to 1,000.`,
    );
}
