/** `vitrine stores`: compares the registry and the warehouse, while no service runs on them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { confirm } from './prompt.ts';
import { examplesHelp, exitCodes, Failure, runToEnd } from './service.ts';
import { tableOf } from './table.ts';

type Options = { readonly accept?: true; readonly yes?: true };

const moreHelp = `
Stop the service first. The stores are those that its environment names (VITRINE_DATA, DATABASE_URL,
CLICKHOUSE_URL). The service does not start with stores that disagree: restore backups of both that
were made at the same time, or go on with what is there.

--accept makes later imports take numbers that neither store has seen, and marks imports whose facts
are missing as failed, so that you can import their documents again. Facts of channels that the
registry does not have stay where they are, and no one can ask for them.

Exit codes: 0 the stores belong together, 1 they could not be compared, 4 they disagree.

${examplesHelp(['stores', 'stores --accept'])}`;

/** Makes `command` compare the stores. */
export function addStores(command: Command): void {
  command
    .option('--accept', 'go on with stores that disagree')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', moreHelp)
    .action((options: Options) => runToEnd(command, () => compare(options)));
}

async function compare({ accept, yes }: Options): Promise<number> {
  const [{ openRegistry, openWarehouse }, pairing] = await Promise.all([
    import('../main.ts'),
    import('../engine/pairing.ts'),
  ]);
  const config = readConfig(process.env);
  const files = ['registry.sqlite', 'warehouse.duckdb'].map((name) =>
    join(config.dataFolder, name),
  );
  if (!config.databaseUrl && !config.clickhouseUrl && !files.some((file) => existsSync(file)))
    throw new Failure(`There are no stores in ${config.dataFolder}: set VITRINE_DATA.`);
  const warehouse = await openWarehouse(config);
  const registry = await openRegistry(config);
  try {
    await Promise.all([registry.migrate(), warehouse.migrate()]);
    const comparison = await pairing.compareStores({ registry, warehouse });
    const disagreements = pairing.disagreementsOf(comparison);
    if (disagreements.length === 0) {
      console.log('The registry and the warehouse belong together.');
      return exitCodes.done;
    }
    for (const disagreement of disagreements) console.log(`${disagreement}.`);
    if (comparison.lost.length > 0)
      console.log(
        tableOf(comparison.lost, [
          { field: 'importId', heading: 'import' },
          'channelId',
          'dataset',
          { field: 'firstDate', heading: 'from' },
          { field: 'lastDate', heading: 'to' },
        ]),
      );
    if (!accept) return exitCodes.unhealthy;
    if (!yes) await confirm('Go on with these stores');
    await pairing.acceptStores({ registry, warehouse }, comparison);
    console.error('Accepted. The service can start with these stores.');
    return exitCodes.done;
  } finally {
    await Promise.all([registry.close(), warehouse.close()]);
  }
}
