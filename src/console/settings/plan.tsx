import type { Answer } from '../client.ts';
import { Icon } from '../parts/icons.tsx';
import { Panel } from '../parts/panel.tsx';
import { counted, inNumbers } from '../words.ts';
import { Operator } from './operator.tsx';
import { Property } from './property.tsx';

type Access = Answer<'readAccess'>;
type Key = Access['keys'][number];

/** The plan with its entitlements and limits. */
export function Plan({ access }: { readonly access: Access }) {
  const { plan, apiAccess, orders, channels, environment, address, keys } = access;
  return (
    <Panel
      title="Plan and limits"
      tools={
        <span class="badge good">
          <Icon name="check" />
          {plan === 'enterprise' ? 'Enterprise' : 'Standard'}
        </span>
      }
    >
      <dl class="body properties">
        {!apiAccess && (
          <Property name="API access">
            No. To request it, ask <Operator contact={access.contact} />.
          </Property>
        )}
        <Limits keys={keys} />
        <Property name="Stores">{channels === 0 ? 'None yet' : inNumbers(channels)}</Property>
        <Property name="Orders">{orders ? 'Included' : 'Enterprise plan only'}</Property>
        <Property name="Search terms">
          {access.searchQueryPerformance
            ? `${counted(access.searchQueryProductMax, 'product')} a call`
            : 'Not included'}
        </Property>
        <Property name="Address">
          <code>{address.replace(/^https?:\/\//, '')}</code>
          {environment === 'staging' && ' (staging)'}
        </Property>
      </dl>
    </Panel>
  );
}

/** The limits of all keys together where they are equal, and otherwise of each key. */
function Limits({ keys }: { readonly keys: readonly Key[] }) {
  const [first] = keys;
  if (first === undefined) return null;
  const isShared = keys.every((key) => textOf(key) === textOf(first));
  return (
    <>
      {isShared ? (
        <>
          <Property name="Requests a second">{secondOf(first)}</Property>
          <Property name="Requests a day">{dayOf(first)}</Property>
        </>
      ) : (
        keys.map((key) => (
          <Property key={key.keyId} name={key.name}>
            {textOf(key)}
          </Property>
        ))
      )}
      <Property name="Beyond the limit">
        <code>429</code> with <code>retry-after</code>
      </Property>
    </>
  );
}

const secondOf = ({ limits: { perSecond, burst } }: Key) =>
  `${inNumbers(perSecond)}, bursts to ${inNumbers(burst)}`;
const dayOf = ({ limits: { perDay } }: Key) => `${inNumbers(perDay)} (UTC)`;
const textOf = (key: Key) => `${secondOf(key)} a second; ${dayOf(key)} a day`;
