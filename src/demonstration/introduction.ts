/** The introduction to the demonstration that `npm start` prints. */
import { endOfDay, localDay, startOfDay } from '../calendar/period.ts';
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

/** The address, the sign-ins, the API key, and a request to paste into a shell. */
export function introduce(
  demonstration: Demonstration,
  { address, dataFolder }: { address: string; dataFolder: string },
): string {
  const body = JSON.stringify(exampleRequest(demonstration));
  const signIns = demonstration.users.map(({ userId, email, role, password }) => {
    const shown = password ?? `(changed; reset it: npm run vitrine -- users link ${userId})`;
    return `  ${`  as ${role}`.padEnd(labelWidth)}${email}  ${shown}`;
  });
  return `
  Vitrine is running at      ${address}
  Reference                  ${address}/reference
  Sign in                    ${address}/console/
${signIns.join('\n')}
  API key                    ${demonstration.key}
  Data folder                ${dataFolder}  (delete it to start over)
  Stop                       Ctrl+C

  Try it: sales of ${firstChannel.displayName}, by week over ${daysShown} days

curl -s ${address}/reports/view/salesByPeriod -H 'x-api-key: ${demonstration.key}' -H 'content-type: application/json' -d '${body}'
`;
}
