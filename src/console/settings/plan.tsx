import type { Answer } from '../client.ts';
import { counted, inNumbers } from '../words.ts';
import { Operator } from './operator.tsx';

type Access = Answer<'readAccess'>;

/** The plan, what belongs to it, and the limits, in words. */
export function Plan({ access }: { access: Access }) {
  const {
    plan,
    apiAccess,
    orders,
    searchQueryPerformance,
    searchQueryProductMax,
    channels,
    environment,
    address,
    contact,
  } = access;
  const limits = access.keys[0]?.limits;
  return (
    <section aria-labelledby="plan-title">
      <h2 id="plan-title">Plan and limits</h2>
      <dl class="card rows">
        <div>
          <dt>Organisation</dt>
          <dd>{access.organisation}</dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>{plan === 'enterprise' ? 'Enterprise' : 'Standard'}</dd>
        </div>
        <div>
          <dt>API access</dt>
          <dd>
            {apiAccess ? (
              'Yes'
            ) : (
              <>
                No. To get it, ask <Operator contact={contact} />.
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Orders</dt>
          <dd>
            {orders ? 'May be read' : 'Not included: orders may be read with the enterprise plan'}
          </dd>
        </div>
        <div>
          <dt>Search Query Performance</dt>
          <dd>
            {searchQueryPerformance
              ? `Included, with up to ${counted(searchQueryProductMax, 'product')} in an answer`
              : 'Not included'}
          </dd>
        </div>
        <div>
          <dt>Channels</dt>
          <dd>
            {channels === 0
              ? 'None that you may reach yet'
              : `${counted(channels, 'channel')} that you may reach`}
          </dd>
        </div>
        {limits !== undefined && (
          <div>
            <dt>Limits of the key</dt>
            <dd>
              {counted(limits.perSecond, 'request')} a second, up to {inNumbers(limits.burst)} at
              once, and {inNumbers(limits.perDay)} a day of UTC. What goes beyond is answered with
              429 and says when to try again.
            </dd>
          </div>
        )}
        <div>
          <dt>Address</dt>
          <dd>
            <code>{address}</code>
            {environment === 'staging' && ' (staging)'}
          </dd>
        </div>
      </dl>
    </section>
  );
}
