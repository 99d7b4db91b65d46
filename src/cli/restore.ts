/** `vitrine restore`: fills an empty installation, while no service runs on it. */
import type { Command } from 'commander';
import { folderOf, quietOption, refusing, restoreHere, rowsIn } from './copies.ts';
import { examplesHelp, exitCodes, runToEnd } from './service.ts';

const moreHelp = `
The installation is the one that the environment names (VITRINE_DATA, DATABASE_URL, CLICKHOUSE_URL),
of either pair of stores, and has no data yet. Its secret must be that of the backup. Stop the
service first. The whole backup is checked before anything is changed. A restore that was
interrupted goes on when it is run again.

Exit codes: 0 restored, 1 refused, 2 invalid command.

${examplesHelp(['restore backups/2026-11-24', 'restore backups/tuesday --quiet'])}`;

/** Makes `command` restore a backup. */
export function addRestore(command: Command): void {
  command
    .argument('<folder>', 'the folder of a backup')
    .addOption(quietOption)
    .addHelpText('after', moreHelp)
    .action((given: string, { quiet }: { readonly quiet?: true }) =>
      runToEnd(command, () =>
        refusing(async () => {
          const { checkBackup } = await import('../backup/read.ts');
          const backup = await checkBackup(folderOf(given));
          const totals = await restoreHere(backup, (line) => quiet || console.error(line));
          if (!quiet)
            console.error(
              `Restored ${rowsIn(totals)} facts as of ${backup.manifest.madeAt}. The service can start.`,
            );
          return exitCodes.done;
        }),
      ),
    );
}
