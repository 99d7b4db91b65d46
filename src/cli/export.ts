/** `vitrine export`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { ExportList } from '../backup/export.ts';
import { requestOf } from '../contract/requests.ts';
import { exportFacts } from '../endpoints/operator/backups/contract.ts';
import { folderOf, receive } from './copies.ts';
import { addServiceCommand, type ServiceOptions, serviceOf } from './service.ts';
import { tableOf } from './table.ts';

const listName = 'export.json';

/** Makes `command` export the facts of a channel. */
export function addExport(command: Command): void {
  command
    .argument('<folder>', 'a new folder for the files')
    .requiredOption('--channel <id>', 'the channelId');
  const help = {
    about: 'docs/exports.md names the columns of the files, which any reader of Parquet opens.',
    examples: ['export --channel acme-us exports/acme-us'],
    json: 'print the list of files',
  };
  type Options = ServiceOptions & { readonly channel: string };
  addServiceCommand<Options>(command, help, async (options, [given]) => {
    const folder = folderOf(given);
    const { path } = requestOf(exportFacts, { channelId: options.channel });
    await receive(serviceOf(options), [exportFacts.method, path], folder, listName);
    const text = await readFile(join(folder, listName), 'utf8');
    const { files } = JSON.parse(text) as ExportList;
    if (options.json) console.log(text.trim());
    else if (files.length > 0) console.log(tableOf(files, ['path', 'rows', 'bytes']));
    else console.error('The channel has no facts.');
  });
}
