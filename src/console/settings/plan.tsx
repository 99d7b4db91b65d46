import type { ComponentChildren } from 'preact';
import type { Answer } from '../client.ts';
import { counted, inNumbers } from '../words.ts';
import { Operator } from './operator.tsx';

type Access = Answer<'readAccess'>;
type Limits = Access['keys'][number]['limits'];

/** The plan with its entitlements and limits. */
export function Plan({ access }: { access: Access }) {
  const { organisation, plan, apiAccess, orders, channels, environment, address } = access;
  const limits = access.keys[0]?.limits;
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
        {limits !== undefined && <Row name="Rate limits">{textOf(limits)}</Row>}
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

function textOf({ perSecond, burst, perDay }: Limits): string {
  return `${counted(perSecond, 'request')} per second, bursts of up to ${inNumbers(burst)}, and ${inNumbers(perDay)} per day (UTC). Requests beyond that get status 429 and the time to wait.`;
}
