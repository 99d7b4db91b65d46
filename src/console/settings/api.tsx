import { useState } from 'preact/hooks';
import { isManager } from '../../contract/roles.ts';
import type { Answer } from '../client.ts';
import { Icon } from '../parts/icons.tsx';
import { Body, Panel } from '../parts/panel.tsx';
import type { Query } from '../queries.ts';
import { useQuery } from '../queries.ts';
import { FirstRequest } from './firstRequest.tsx';
import { SettingsPage } from './frame.tsx';
import { KeyRow } from './key.tsx';
import { MakeKey } from './makeKey.tsx';
import { NoKey } from './noKey.tsx';
import { Operator } from './operator.tsx';
import { Plan } from './plan.tsx';
import { LatestRequests } from './requests.tsx';
import { Usage } from './usage.tsx';

type Access = Answer<'readAccess'>;
type UsageAnswer = Answer<'readUsage'>;

/** The keys, the plan with its limits, and the usage. */
export function ApiSettings() {
  const access = useQuery('readAccess', {});
  const usage = useQuery('readUsage', {});
  return (
    <SettingsPage title="API">
      <Body query={access} name="your access">
        {(value) => (
          <div class="stack">
            <AccessShown access={value} usage={usage} changed={access.retry} />
          </div>
        )}
      </Body>
    </SettingsPage>
  );
}

type AccessProps = {
  readonly access: Access;
  readonly usage: Query<UsageAnswer>;
  /** Called after a change of the keys. */
  readonly changed: () => void;
};

function AccessShown({ access, usage, changed }: AccessProps) {
  const [shown, setShown] = useState<Readonly<Record<string, string | undefined>>>({});
  const revealed = access.keys.map(({ keyId }) => shown[keyId]).find((key) => key !== undefined);
  const hasKey = access.keys.length > 0;
  const plan = <Plan access={access} />;
  return (
    <>
      <Panel title="Keys" count={hasKey ? access.keys.length : undefined}>
        {hasKey ? (
          <>
            <Keys
              access={access}
              usage={usage.value}
              shown={shown}
              show={(keyId, text) => setShown({ ...shown, [keyId]: text })}
              changed={changed}
            />
            <KeyAdvice contact={access.contact} />
          </>
        ) : (
          <NoKey access={access} />
        )}
      </Panel>
      {hasKey && (
        <MakeKey
          origins={access.keys.filter(({ madeFrom }) => madeFrom === null)}
          onMade={changed}
        />
      )}
      {hasKey && access.apiAccess ? (
        <div class="columns">
          <FirstRequest address={access.address} shown={revealed} />
          {plan}
        </div>
      ) : (
        plan
      )}
      {isManager(access.role) && (
        <>
          <Usage loaded={usage} hasKey={hasKey} />
          <LatestRequests />
        </>
      )}
    </>
  );
}

type KeysProps = {
  readonly access: Access;
  readonly usage: UsageAnswer | undefined;
  /** Texts of revealed keys by their ids. */
  readonly shown: Readonly<Record<string, string | undefined>>;
  readonly show: (keyId: string, text: string | undefined) => void;
  readonly changed: () => void;
};

function Keys({ access, usage, shown, show, changed }: KeysProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class="scroller" tabIndex={0} aria-label="Keys, table">
      <table class="data keys">
        <caption class="visually-hidden">Keys</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Last used</th>
            <th scope="col" class="number">
              Requests today
            </th>
            <th scope="col">Ends</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {access.keys.map((key) => (
            <KeyRow
              key={key.keyId}
              it={key}
              usage={usage?.keys.find(({ keyId }) => keyId === key.keyId)}
              shown={shown[key.keyId]}
              show={(text) => show(key.keyId, text)}
              changed={changed}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function KeyAdvice({ contact }: { readonly contact: string | null }) {
  return (
    <footer class="advice">
      <Icon name="key" />
      <span>
        Anyone with a key can read your organisation’s data. Keep keys on servers, never in a page,
        an app or a repository. Ask <Operator contact={contact} /> to issue or rotate one.
      </span>
    </footer>
  );
}
