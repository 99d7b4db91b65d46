/** `vitrine move`: copies a running installation into other stores, which no service uses yet. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { factTable } from '../../schema/warehouse/tables.ts';
import type { CheckedBackup, Manifest, Total } from '../backup/format.ts';
import type { ComparedTotal } from '../backup/restoreFacts.ts';
import { createBackup } from '../endpoints/operator/backups/contract.ts';
import { listImports } from '../endpoints/operator/imports/contract.ts';
import { folderOf, receive, refusing, restoreHere, rowsIn } from './copies.ts';
import { call } from './operation.ts';
import {
  addServiceCommand,
  exitCodes,
  Failure,
  isSet,
  type Service,
  type ServiceOptions,
  serviceOf,
} from './service.ts';
import { tableOf } from './table.ts';

/** Makes `command` move a running service's data. */
export function addMove(command: Command): void {
  command.argument('<folder>', 'a folder for the copy, which is removed at the end');
  const help = {
    about:
      'The source is the running service that --url names; it goes on answering. The target is the\n' +
      'stores of the environment (DATABASE_URL, CLICKHOUSE_URL), which have no data yet. Its\n' +
      'VITRINE_SECRET must be the secret of the source. A move that was interrupted goes on when it\n' +
      'is run again with the same folder. At the end it compares all facts of both.',
    examples: ['move backups/moving --url http://127.0.0.1:8080'],
    json: 'print the compared totals as JSON',
  };
  addServiceCommand<ServiceOptions>(command, help, (options, [given]) =>
    refusing(() => move(options, folderOf(given))),
  );
}

async function move(options: ServiceOptions, folder: string): Promise<number> {
  if (!['DATABASE_URL', 'CLICKHOUSE_URL'].every(isSet))
    throw new Failure('DATABASE_URL and CLICKHOUSE_URL must name the stores to move into.');
  const [{ manifestName }, { checkBackup }] = await Promise.all([
    import('../backup/format.ts'),
    import('../backup/read.ts'),
  ]);
  const service = serviceOf(options);
  const isResumed = existsSync(join(folder, manifestName));
  if (!isResumed)
    await receive(service, [createBackup.method, createBackup.path], folder, manifestName);
  const backup = await checkBackup(folder);
  const totals = await restoreHere(backup, (line) => options.json || console.error(line));
  if (options.json) console.log(JSON.stringify(totals));
  else await printTotals(backup, totals);
  const later = await laterImports(service, backup.manifest);
  console.error(
    `Moved ${rowsIn(totals)} facts as of ${backup.manifest.madeAt}; all totals are equal.` +
      (later === 0 ? '' : ` The source has begun ${later} imports since: repeat them there.`),
  );
  await rm(folder, { recursive: true });
  return exitCodes.done;
}

async function printTotals(backup: CheckedBackup, totals: readonly ComparedTotal[]): Promise<void> {
  const { recordsOf } = await import('../backup/read.ts');
  const names = new Map<number, string>();
  for await (const rows of recordsOf(backup, 'channel'))
    for (const { channelNumber, channelId } of rows) names.set(channelNumber, channelId);
  const rows = totals.map(({ table, channel, expected, found }) => ({
    table,
    channel: names.get(channel) ?? '',
    source: expected?.rows ?? 0,
    target: found?.rows ?? 0,
    amounts: amountsOf(expected),
    moved: amountsOf(found),
  }));
  console.log(
    tableOf(rows, [
      'table',
      'channel',
      { field: 'source', heading: 'facts' },
      { field: 'target', heading: 'in the target' },
      'amounts',
      { field: 'moved', heading: 'in the target' },
    ]),
  );
}

/** The sum of all amounts, with two decimals; "" for a table without amounts. */
function amountsOf(total: Total | null): string {
  if (total === null) return '';
  const { columns } = factTable(total.table);
  const amounts = Object.entries(total.sums).filter(([column]) => columns[column] === 'Amount');
  if (amounts.length === 0) return '';
  const sum = amounts.reduce((all, [, millionths]) => all + BigInt(millionths), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(7, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** How many imports the source has begun since the backup. */
async function laterImports(service: Service, { numbers }: Manifest): Promise<number> {
  const { imports } = await call(service, listImports, { pageIndex: 0, pageSize: 1 });
  return Math.max(0, (imports[0]?.importId ?? 0) - (numbers.import ?? 0));
}
