/** The service, except that it waits for shared rate limits as long as a slow machine needs. */
import { readConfig } from '../src/config.ts';
import { start } from '../src/main.ts';
import { stopOnSignals } from '../src/stopping.ts';

const running = await start(readConfig(process.env), {
  budgetLimits: { answerMilliseconds: 600_000 },
});
stopOnSignals(running);
console.error(running.address);
