/** `vitrine backup`, and `vitrine backup verify`. */
import type { Command } from 'commander';
import { createBackup } from '../endpoints/operator/backups/contract.ts';
import { folderOf, quietOption, receive, refusing } from './copies.ts';
import { addServiceCommand, type ServiceOptions, serviceOf } from './service.ts';
import { countOf } from './table.ts';
import { addVerify } from './verify.ts';

/** Makes `command` back up a running service. */
export function addBackup(command: Command): void {
  command.argument('<folder>', 'a new folder for the backup').addOption(quietOption);
  const help = {
    about:
      'Requests and imports go on meanwhile. The secret (VITRINE_SECRET, or the file "secret" of the\n' +
      'data folder) is not in the backup: keep it elsewhere, because nothing opens without it.\n' +
      'A folder named "verify" is given as ./verify.',
    examples: ['backup backups/2026-11-23', 'backup backups/monday --url http://127.0.0.1:8080'],
    json: 'print the manifest of the backup',
  };
  type Options = ServiceOptions & { readonly quiet?: true };
  addServiceCommand<Options>(command, help, async (options, [given]) => {
    const folder = folderOf(given);
    const { manifestName } = await import('../backup/format.ts');
    await receive(
      serviceOf(options),
      [createBackup.method, createBackup.path],
      folder,
      manifestName,
    );
    const { checkBackup } = await import('../backup/read.ts');
    const { manifest } = await refusing(() => checkBackup(folder));
    if (options.json) console.log(JSON.stringify(manifest));
    else console.log(folder);
    if (options.quiet || options.json) return;
    const sum = (files: readonly { rows: number }[]) =>
      countOf(files.reduce((all, { rows }) => all + rows, 0));
    console.error(
      `Kept ${sum(manifest.facts)} facts and ${sum(manifest.records)} records of ` +
        `${manifest.madeAt}. Keep the secret elsewhere.`,
    );
  });
  addVerify(command);
}
