import { setImmediate } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Running } from '../main.ts';

const moreHelp = `
Examples:
  $ vitrine serve --demonstration
  $ VITRINE_PORT=9090 VITRINE_DATA=/var/lib/vitrine vitrine serve`;

/** Makes `command` run the service. */
export function addServe(command: Command): void {
  command
    .option(
      '--demonstration',
      'add an organisation with demonstration data (once), and print how to use it',
    )
    .addHelpText('after', moreHelp)
    .action(async ({ demonstration }: { demonstration?: boolean }) =>
      serve(demonstration === true),
    );
}

/** The stores create files by themselves; only the owner of this process may read them. */
const ownerOnly = 0o077;

async function serve(withDemonstration: boolean): Promise<void> {
  process.umask(ownerOnly);
  // Loaded only here, so that the help appears at once.
  const [{ readConfig, threadsFor }, { start }, { stopOnSignals }] = await Promise.all([
    import('../config.ts'),
    import('../main.ts'),
    import('../stopping.ts'),
  ]);
  const config = readConfig(process.env, process.stdout.isTTY === true);
  // Read when the first of these threads is needed, which is after this.
  process.env.UV_THREADPOOL_SIZE ??= String(threadsFor(config.limits));
  const running = await start(config, {
    awaitsRates: config.rates !== 'off' && !withDemonstration,
  });
  let rates: { readonly close: () => Promise<void> } | undefined;
  const stoppable = {
    drain: () => running.drain(),
    async close() {
      await rates?.close();
      await running.close();
    },
  };
  stopOnSignals(stoppable, config.limits.drainSeconds);
  if (withDemonstration) {
    // Clients that have been waiting for the port are answered first.
    await setImmediate();
    await demonstrate(config, running);
    return;
  }
  console.error(
    `Vitrine is running at ${running.address}. API description: ${running.address}/openapi.json${
      running.operatorAddress ? `. For operators: ${running.operatorAddress}/console/operator` : ''
    }`,
  );
  // The demonstration has rates of its own, so that its figures stay the same.
  rates = await keepRatesOf(running, config);
}

/** Updates the exchange rates of a running service, unless that is turned off. */
async function keepRatesOf({ server, ...stores }: Running, { rates }: Config) {
  if (rates === 'off') return undefined;
  const [{ keepRates }, { loggedError }] = await Promise.all([
    import('../import/keepRates.ts'),
    import('../http/errors.ts'),
  ]);
  return keepRates({
    ...stores,
    isDaily: rates === 'daily',
    onError: (error, text) => server.log.warn({ error: loggedError(error) }, text),
  });
}

/** Adds the demonstration, while the service already answers requests. */
async function demonstrate(
  config: Config,
  { address, secret, registry, warehouse, importer }: Running,
): Promise<void> {
  let isClosing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      isClosing = true;
    });
  }
  const [{ fillDemonstration }, { introduce }] = await Promise.all([
    import('../../demonstration/demonstration.ts'),
    import('../../demonstration/introduction.ts'),
  ]);
  try {
    const demonstration = await fillDemonstration({
      registry,
      warehouse,
      importer,
      config: { ...config, secret },
      now: Date.now(),
      onProgress: (line) => console.error(line),
    });
    const { dataFolder } = config;
    const isTerminal = process.stderr.isTTY === true;
    console.error(introduce(demonstration, { address, dataFolder, isTerminal }));
  } catch (error) {
    // Stopping the service closes the stores in the middle of this; the next start completes it.
    if (!isClosing) throw error;
  }
}
