/** What the console says of the demonstration. */
import { endOfDay, localDay, startOfDay } from '../calendar/period.ts';
import { plans } from './catalogue.ts';
import type { Demonstration } from './demonstration.ts';

const firstChannel = plans[0]!;
const daysShown = 30;
const labelWidth = 27;

/** The body of a request for the sales of the first channel: the last thirty days that have facts, by week. */
export function exampleRequest({ madeAt }: Pick<Demonstration, 'madeAt'>) {
  const { channelId, merchantId, timezone } = firstChannel;
  const lastDay = localDay(timezone, Math.floor(madeAt / 1000)) - 1;
  const fromDate = startOfDay(timezone, lastDay - daysShown + 1)!;
  const toDate = endOfDay(timezone, lastDay)!;
  return { channelId, merchantId, reportOptions: { fromDate, toDate, timezone, interval: 'w' } };
}

/** Where the service is, who may sign in, the key, and one line that can be pasted into a shell. */
export function introduce(
  demonstration: Demonstration,
  { address, dataFolder }: { address: string; dataFolder: string },
): string {
  const body = JSON.stringify(exampleRequest(demonstration));
  const people = demonstration.people.map(({ userId, email, role, password }) => {
    const entered = password ?? `(changed; npm run vitrine -- users link ${userId})`;
    return `  ${`  as ${role}`.padEnd(labelWidth)}${email}  ${entered}`;
  });
  return `
  Vitrine takes requests at  ${address}
  Reference                  ${address}/reference
  Sign in                    ${address}/console/
${people.join('\n')}
  API key                    ${demonstration.key}
  Data folder                ${dataFolder}  (delete it to begin anew)
  Stop                       Ctrl+C

  Try it: the sales of ${firstChannel.displayName}, ${daysShown} days by week

curl -s ${address}/reports/view/salesByPeriod -H 'x-api-key: ${demonstration.key}' -H 'content-type: application/json' -d '${body}'
`;
}
