/** The whole service over a folder of data. Started by the benchmarks that ask it. */
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
    secret,
    operatorToken: 'operator-token-of-the-benchmarks',
  },
  // As in production, but to nowhere: what writing costs belongs to where it is written.
  { log: { level: 'info', stream: { write: () => undefined } } },
);
process.send!(address);
