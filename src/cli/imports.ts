/** `vitrine imports`. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { importContracts as contracts } from '../endpoints/operator/imports/contract.ts';
import { addList, addOperation, helpOf, requestOf, wholeNumber } from './operation.ts';
import { financeOf } from './sending.ts';
import {
  addServiceOptions,
  endWell,
  open,
  refusal,
  type ServiceOptions,
  serviceOf,
} from './service.ts';
import { countOf, recordOf, tableOf } from './table.ts';

/** Refused rows that are shown; `--json` gives all of them. */
const rejectionsShownMax = 1_000;
type Rejection = { readonly line: number; readonly reason: string };

/** Adds the commands of imports. */
export function addImports(command: Command): void {
  addList(command, {
    contract: contracts.listImports,
    verb: 'list',
    rows: 'imports',
    columns: [
      { field: 'importId', heading: 'import' },
      { field: 'channelId', mayBeCut: true },
      { field: 'dataset', mayBeCut: true },
      'state',
      { field: 'rowsRead', heading: 'read' },
      { field: 'rowsRejected', heading: 'refused' },
      'startedAt',
      { field: 'from', mayBeLeftOut: true },
      { field: 'to', mayBeLeftOut: true },
      { field: 'rowsAccepted', heading: 'accepted', mayBeLeftOut: true },
      { field: 'error', mayBeLeftOut: true },
    ],
    examples: ['imports list --page-size 20', 'imports list --channel northwind-us --state failed'],
  });
  addOperation(command, {
    contract: contracts.readImport,
    verb: 'show',
    tell: ({ finance, ...record }) =>
      console.log([recordOf(record), ...(finance ? financeOf(finance) : [])].join('\n')),
    examples: ['imports show 1', 'imports show 1 --json'],
  });
  addRejected(command);
}

/** Millions of rows may have been refused, so that the answer is passed on or cut off as it comes. */
function addRejected(imports: Command): void {
  const contract = contracts.listImportRejections;
  const command = imports
    .command('rejected')
    .description('list the refused rows of an import')
    .argument('<importId>', 'number of the import', wholeNumber);
  addServiceOptions(command)
    .addHelpText(
      'after',
      helpOf(`Shows the first ${countOf(rejectionsShownMax)}; --json gives all.`, [
        'imports rejected 1',
        'imports rejected 1 --json > refused.json',
      ]),
    )
    .action((importId: number, options: ServiceOptions) =>
      endWell(command, async () => {
        const service = serviceOf(options);
        const response = await open(
          service,
          contract.method,
          requestOf(contract, { importId }).path,
        );
        if (response.status !== 200)
          throw refusal(response.status, await response.text(), service.address, ['importId']);
        if (options.json) await passOn(response);
        else tell(await firstOf(response));
        return undefined;
      }),
    );
}

async function passOn(response: Response): Promise<void> {
  for await (const part of response.body!)
    if (!process.stdout.write(part)) await once(process.stdout, 'drain');
  process.stdout.write('\n');
}

/** Reads as much as holds the rows that are shown, and one more. */
async function firstOf(response: Response): Promise<Rejection[]> {
  // A quotation mark within a reason is written with a backslash, so that this stands between rows only.
  const between = '},{"line":';
  let text = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    const rows = text.split(between);
    if (rows.length > rejectionsShownMax + 1) {
      text = `${rows.slice(0, rejectionsShownMax + 1).join(between)}}]}`;
      break;
    }
  }
  return JSON.parse(text).rejected;
}

function tell(rejections: readonly Rejection[]): void {
  if (rejections.length === 0) console.error('No row was refused.');
  else
    console.log(
      tableOf(rejections.slice(0, rejectionsShownMax), [
        'line',
        { field: 'reason', mayBeCut: true },
      ]),
    );
  if (rejections.length > rejectionsShownMax)
    console.error(`Only the first ${countOf(rejectionsShownMax)} are shown: --json gives all.`);
}
