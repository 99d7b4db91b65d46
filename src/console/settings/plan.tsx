import type { ComponentChildren } from 'preact';
import type { Answer } from '../client.ts';
import { counted, inNumbers } from '../words.ts';
import { Operator } from './operator.tsx';

type Access = Answer<'readAccess'>;
type Key = Access['keys'][number];

/** The plan with its entitlements and limits. */
export function Plan({ access }: { access: Access }) {
  const { organisation, plan, apiAccess, orders, channels, environment, address, keys } = access;
  return (
    <section aria-labelledby="plan-title">
      <h2 id="plan-title">Plan and limits</h2>
      <dl class="card rows">
        <Row name="Organisation">{organisation}</Row>
        <Row name="Plan">{plan === 'enterprise' ? 'Enterprise' : 'Standard'}</Row>
        <Row name="API access">
          {apiAccess ? (
            'Yes'
          ) : (
            <>
              No. To request it, ask <Operator contact={access.contact} />.
            </>
          )}
        </Row>
        <Row name="Orders">{orders ? 'Included' : 'Not included; part of the Enterprise plan'}</Row>
        <Row name="Search Query Performance">
          {access.searchQueryPerformance
            ? `Included, up to ${counted(access.searchQueryProductMax, 'product')} per answer`
            : 'Not included'}
        </Row>
        <Row name="Channels">
          {channels === 0
            ? 'None that you can access yet'
            : `${counted(channels, 'channel')} that you can access`}
        </Row>
        {keys.length > 0 && (
          <Row name="Rate limits">
            <RateLimits keys={keys} />
          </Row>
        )}
        <Row name="Address">
          <code>{address}</code>
          {environment === 'staging' && ' (staging)'}
        </Row>
      </dl>
    </section>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The limits of the only key, or of each of several keys. */
function RateLimits({ keys }: { keys: readonly Key[] }) {
  const beyond = 'Requests beyond that get status 429 and the time to wait.';
  const [first, second] = keys;
  if (first !== undefined && second === undefined)
    return (
      <>
        {textOf(first)} {beyond}
      </>
    );
  return (
    <>
      <ul class="plain">
        {keys.map((key) => (
          <li key={key.keyId}>
            {key.name} <code>{key.hint}</code>: {textOf(key)}
          </li>
        ))}
      </ul>
      {beyond}
    </>
  );
}

function textOf({ limits: { perSecond, burst, perDay } }: Key): string {
  return `${counted(perSecond, 'request')} per second, bursts of up to ${inNumbers(burst)}, and ${inNumbers(perDay)} per day (UTC).`;
}
