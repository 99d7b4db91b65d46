/** `vitrine backup verify`: restores a backup into stores of its own, which it then removes. */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { folderOf, quietOption, refusing, restoreInto, rowsIn, secretsHere } from './copies.ts';
import { examplesHelp, exitCodes, runToEnd } from './service.ts';
import { countOf } from './table.ts';

const moreHelp = `
Restores the backup into embedded stores in a temporary folder (TMPDIR), compares all facts, records
and files of reports with it as "vitrine restore" does, and removes the stores. It needs as much
disk as the backup, and its secret: VITRINE_SECRET, or the file "secret" of the data folder
(VITRINE_DATA). It calls no service, and runs while one is running.

Exit codes: 0 everything is as it was, 1 it is not, or could not be compared, 2 invalid command.

${examplesHelp(['backup verify backups/2026-11-24', 'backup verify backups/tuesday --quiet'])}`;

/** Gives `backup` its subcommand. */
export function addVerify(backup: Command): void {
  const command = backup.command('verify');
  command
    .description('restore a backup into temporary stores, compare everything, and remove them')
    .argument('<folder>', 'the folder of a backup')
    .addOption(quietOption)
    .addHelpText('after', moreHelp)
    .action((given: string, { quiet }: { readonly quiet?: true }) =>
      runToEnd(command, () => refusing(() => verify(folderOf(given), quiet === true))),
    );
}

async function verify(folder: string, isQuiet: boolean): Promise<number> {
  const secrets = secretsHere();
  const { checkBackup } = await import('../backup/read.ts');
  const backup = await checkBackup(folder);
  const totals = await inTemporaryFolder((dataFolder) =>
    restoreInto(backup, { dataFolder, secrets }, (line) => isQuiet || console.error(line)),
  );
  const { madeAt, records, reports } = backup.manifest;
  const rows = countOf(records.reduce((sum, file) => sum + file.rows, 0));
  if (!isQuiet)
    console.error(
      `Verified ${rowsIn(totals)} facts, ${rows} records and ${countOf(reports.length)} files of ` +
        `reports of ${madeAt}: a restore gives back all of them.`,
    );
  return exitCodes.done;
}

/** Works in a new folder, which is removed at the end, also when the command is interrupted. */
async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-verify-'));
  const leave = () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(exitCodes.failed);
  };
  process.once('SIGINT', leave).once('SIGTERM', leave);
  try {
    return await work(folder);
  } finally {
    process.off('SIGINT', leave).off('SIGTERM', leave);
    await rm(folder, { recursive: true, force: true });
  }
}
