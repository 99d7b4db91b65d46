/** The introduction to the demonstration that `npm start` prints. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOfDay, localDay, startOfDay } from '../src/calendar/period.ts';
import type { Demonstration } from './demonstration.ts';
import { plans } from './plans.ts';

const firstChannel = plans[0]!;
const daysShown = 30;
const labelWidth = 27;

/** A request for the first channel's sales by week, over the last thirty days with facts. */
export function exampleRequest({ madeAt }: Pick<Demonstration, 'madeAt'>) {
  const { channelId, merchantId, timezone } = firstChannel;
  const lastDay = localDay(timezone, Math.floor(madeAt / 1000)) - 1;
  const fromDate = startOfDay(timezone, lastDay - daysShown + 1)!;
  const toDate = endOfDay(timezone, lastDay)!;
  return { channelId, merchantId, reportOptions: { fromDate, toDate, timezone, interval: 'w' } };
}

/** Where the service runs, and whether what it prints is for a terminal alone. */
export type Place = {
  readonly address: string;
  readonly dataFolder: string;
  readonly isTerminal: boolean;
};

/**
 * The address, the sign-ins, the API key, and a request to paste into a shell. Output to a log or a
 * pipe holds no secrets: it names a file, for its owner alone, that has them.
 */
export function introduce(demonstration: Demonstration, place: Place): string {
  const { address, dataFolder, isTerminal } = place;
  const body = JSON.stringify(exampleRequest(demonstration));
  const secrets = isTerminal ? undefined : keepSecrets(demonstration, dataFolder);
  const key = secrets === undefined ? demonstration.key : '$KEY';
  const curl = `curl -s ${address}/reports/view/salesByPeriod -H "x-api-key: ${key}" -H 'content-type: application/json' -d '${body}'`;
  const [reading, signIns, shownKey] =
    secrets === undefined
      ? ['', signInsOf(demonstration), demonstration.key]
      : [
          `. '${secrets}' && `,
          [`  ${'  as'.padEnd(labelWidth)}(see ${secrets})`],
          `(in ${secrets})`,
        ];
  return `
  Vitrine is running at      ${address}
  Reference                  ${address}/reference
  Sign in                    ${address}/console/
${signIns.join('\n')}
  API key                    ${shownKey}
  Data folder                ${dataFolder}  (delete it to start over)
  Stop                       Ctrl+C

  Try it: sales of ${firstChannel.displayName}, by week over ${daysShown} days

${reading}${curl}
`;
}

function signInsOf({ users }: Pick<Demonstration, 'users'>): string[] {
  return users.map(({ userId, email, role, password }) => {
    const shown = password ?? `(changed; reset it: npm run vitrine -- users link ${userId})`;
    return `  ${`  as ${role}`.padEnd(labelWidth)}${email}  ${shown}`;
  });
}

/** Writes the key and the sign-ins as a file that a shell reads, and returns its path. */
function keepSecrets(demonstration: Demonstration, dataFolder: string): string {
  const file = join(dataFolder, 'demonstration.env');
  const signIns = signInsOf(demonstration).map((line) => `#${line}`);
  const lines = ['# The demonstration: its API key, and who may sign in.', ...signIns];
  rmSync(file, { force: true });
  writeFileSync(file, [...lines, `export KEY=${demonstration.key}`, ''].join('\n'), {
    mode: 0o600,
  });
  return file;
}
