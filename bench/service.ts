/** The whole service over a data folder, started by the benchmarks. */
import { defaultLimits } from '../src/config.ts';
import { start } from '../src/main.ts';
import { secret } from './data.ts';

const { address } = await start(
  {
    host: '127.0.0.1',
    port: 0,
    dataFolder: process.argv[2]!,
    databaseUrl: undefined,
    clickhouseUrl: undefined,
    redisUrl: undefined,
    reportStore: undefined,
    publicUrl: 'http://127.0.0.1',
    contact: undefined,
    trustedProxies: [],
    environment: 'production',
    rates: 'off',
    secrets: [secret],
    operatorTokens: ['operator-token-of-the-benchmarks'],
    limits: defaultLimits,
  },
  // Logs as in production, but discards the lines: the cost of writing depends on the target.
  { log: { level: 'info', stream: { write: () => undefined } } },
);
process.send!(address);
