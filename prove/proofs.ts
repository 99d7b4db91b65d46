/** All promises, in the order of the table in docs/reliability.md. */
import type { Pair } from '../test/harness.ts';
import { measureKillsOfCluster } from './cluster.ts';
import { measureDamage } from './damage.ts';
import { measureFullDisk } from './fullDisk.ts';
import { measureHostileRequests } from './hostileRequests.ts';
import { measureKills } from './kill.ts';
import { measureMemory, mebibytesMax } from './memory.ts';
import { measureOutageCluster } from './outageCluster.ts';
import { measureOutage } from './outages.ts';
import { measurePatterns } from './patterns.ts';
import { measurePoison } from './poison.ts';
import type { Extent, Finding, Proof } from './promise.ts';
import { measureRepeats } from './repeats.ts';
import { connections, measureSlowClients } from './slowClients.ts';
import { measureSoak, promisedMinutes } from './soak.ts';
import { measureSuites } from './suites.ts';
import { measureSyncs } from './syncs.ts';

/** A promise by its name: its words, its measurement, and what the verdict depends on. */
type Row = readonly [
  promise: string,
  measure: Proof['measure'],
  kind?: 'timed' | 'suite' | undefined,
];

const kills = 'lose, double and tear nothing';
const away = (server: string) =>
  `Without ${server} (stopped, frozen, slow) requests that need it get 503 within 2 s, the node is not ready, and all is well within 5 s of its return`;
const full = (where: string) =>
  `On a full disk ${where} imports get 503, questions are answered, and imports go on once there is room`;

/** A row for each pair of stores. */
function onPairs(
  name: string,
  promise: string,
  measure: (pair: Pair, extent: Extent) => Promise<Finding>,
): Record<string, Row> {
  const row = (pair: Pair): Row => [`${promise} (${pair} pair)`, (extent) => measure(pair, extent)];
  return { [`${name}-embedded`]: row('embedded'), [`${name}-served`]: row('served') };
}

/** A promise that suites of tests keep: here they run whole. */
const ofSuites = (promise: string, ...files: string[]): Row => [
  promise,
  (extent) => measureSuites(files, extent),
  'suite',
];

const rows: Readonly<Record<string, Row>> = {
  ...onPairs('kill', `Kills (SIGKILL) of the service ${kills}`, (pair, extent) =>
    measureKills('service', pair, extent),
  ),
  'kill-clickhouse': [
    `Kills (SIGKILL) of ClickHouse ${kills} (served pair)`,
    (extent) => measureKills('clickhouse', 'served', extent),
  ],
  'kill-postgres': [
    `Kills (SIGKILL) of PostgreSQL ${kills} (served pair)`,
    (extent) => measureKills('postgres', 'served', extent),
  ],
  'kill-cluster': [
    `Kills (SIGKILL) of nodes, the worker and servers of ClickHouse ${kills} (cluster)`,
    measureKillsOfCluster,
  ],
  ...onPairs(
    'repeats',
    'Documents that come 1 to 5 times, in any order and at once, leave the facts of one time',
    measureRepeats,
  ),
  'disk-embedded': [
    full('of the data folder'),
    (extent) => measureFullDisk('embedded', extent),
    'timed',
  ],
  'disk-served': [full('of ClickHouse'), (extent) => measureFullDisk('served', extent), 'timed'],
  'damage-embedded': [
    'A changed byte of a store, a file or a backup is found, or changes no answer (embedded pair)',
    measureDamage,
  ],
  'outage-clickhouse': [
    away('ClickHouse'),
    (extent) => measureOutage('clickhouse', extent),
    'timed',
  ],
  'outage-postgres': [away('PostgreSQL'), (extent) => measureOutage('postgres', extent), 'timed'],
  'outage-redis': [
    'Without Redis (stopped, frozen, slow) requests are answered within 2 s, and all is well within 5 s of its return',
    (extent) => measureOutage('redis', extent),
    'timed',
  ],
  'outage-cluster': [
    'One of three servers of ClickHouse that is frozen, slow, half open or flapping looks like a killed one within 2 s: stores elsewhere are answered, the nodes stay ready, and all is well within 5 s of its return',
    measureOutageCluster,
    'timed',
  ],
  ...onPairs(
    'hostile',
    'Every answer to a hostile request is one that the description promises',
    measureHostileRequests,
  ),
  ...onPairs(
    'poison',
    'Rows read of damaged documents are accepted, merged, rejected or skipped, and refused documents change nothing',
    measurePoison,
  ),
  patterns: [
    'No part of a document or request takes more processor time than in proportion to it',
    measurePatterns,
  ],
  memory: [
    `Any two hostile documents that are read at once take at most ${mebibytesMax} MiB more`,
    measureMemory,
  ],
  restores: ofSuites(
    'A restore gives back every byte of facts, records and files, and refuses a damaged, partial or foreign backup',
    ...['test/backups.test.ts', 'src/backup/*.test.ts'],
  ),
  turns: ofSuites(
    'Work of one organisation waits behind no queue of another one',
    ...['test/fairness.test.ts', 'src/jobs/*.test.ts', 'src/import/turns.test.ts'],
  ),
  withdrawals: ofSuites(
    'Mails, files, links and webhooks that were made before a right ended do not leave after it',
    ...['test/withdrawals.test.ts', 'test/rights.test.ts'],
  ),
  mails: ofSuites(
    'Strangers get e-mails once they have confirmed, within limits, and unsubscribe by one click',
    ...['src/schedules/*.test.ts', 'src/endpoints/schedules/*.test.ts'],
  ),
  'slow-clients': [
    `Beside ${connections.full} slow, idle or half-open clients of a kind, the p99 of others is at most a fifth above that beside the same clients of another server`,
    measureSlowClients,
    'timed',
  ],
  soak: [
    `For ${promisedMinutes} minutes at half load, with imports and reports, memory and open files stay flat`,
    measureSoak,
    'timed',
  ],
  syncs: [
    'An acknowledged change is on the disk: at least one fsync for each (embedded pair)',
    measureSyncs,
  ],
};

/** All promises. */
export const proofs: readonly Proof[] = Object.entries(rows).map(
  ([name, [promise, measure, kind]]) => ({
    name,
    promise,
    measure,
    isTimed: kind === 'timed',
    isSuite: kind === 'suite',
  }),
);
