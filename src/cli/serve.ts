import type { Command } from 'commander';

/** Adds `vitrine serve`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API; the environment (VITRINE_PORT, VITRINE_DATA, ...) says where and from what')
    .option('--demonstration', 'fill an empty installation with demonstration data')
    .action(async ({ demonstration }: { demonstration?: boolean }) => serve(demonstration === true));
}

async function serve(withDemonstration: boolean): Promise<void> {
  // Loaded only now, so that the help of the command line shows at once.
  const { readConfig } = await import('../config.ts');
  const { closeOnSignals, start } = await import('../main.ts');
  const config = readConfig(process.env);
  const running = await start(config);
  closeOnSignals(running);
  if (withDemonstration) await demonstrate();
  console.error(`Vitrine takes requests at ${running.address}; its description is at ${running.address}/openapi.json`);
}

/** Filled in by the demonstration's own folder once there is one. */
async function demonstrate(): Promise<void> {
  console.error('This version brings no demonstration data yet.');
}
