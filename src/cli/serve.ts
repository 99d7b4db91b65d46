import { setImmediate } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Running } from '../main.ts';

const moreHelp = `
Examples:
  $ vitrine serve --demonstration
  $ VITRINE_PORT=9090 VITRINE_DATA=/var/lib/vitrine vitrine serve`;

/** Makes \`command\` the service. */
export function addServe(command: Command): void {
  command
    .option(
      '--demonstration',
      'add an organisation with made-up data, once, and say how to ask for it',
    )
    .addHelpText('after', moreHelp)
    .action(async ({ demonstration }: { demonstration?: boolean }) =>
      serve(demonstration === true),
    );
}

async function serve(withDemonstration: boolean): Promise<void> {
  // Loaded only now, so that the help of the command line shows at once.
  const [{ readConfig }, { closeOnSignals, start }] = await Promise.all([
    import('../config.ts'),
    import('../main.ts'),
  ]);
  const config = readConfig(process.env);
  const running = await start(config);
  closeOnSignals(running);
  if (withDemonstration) {
    // Whoever has been waiting for the port is answered first.
    await setImmediate();
    await demonstrate(config, running);
  } else
    console.error(
      `Vitrine takes requests at ${running.address}; its description is at ${running.address}/openapi.json`,
    );
}

/** Requests are taken while the demonstration is being made. */
async function demonstrate(
  config: Config,
  { address, registry, warehouse, importer }: Running,
): Promise<void> {
  let isClosing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      isClosing = true;
    });
  }
  const [{ fillDemonstration }, { introduce }] = await Promise.all([
    import('../demonstration/demonstration.ts'),
    import('../demonstration/introduction.ts'),
  ]);
  try {
    const demonstration = await fillDemonstration({
      registry,
      warehouse,
      importer,
      config,
      now: Date.now(),
      onProgress: (line) => console.error(line),
    });
    console.error(introduce(demonstration, { address, dataFolder: config.dataFolder }));
  } catch (error) {
    // Whoever stops the service half-way closes the stores under the making; the next start completes it.
    if (!isClosing) throw error;
  }
}
