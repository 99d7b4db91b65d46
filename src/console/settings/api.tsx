import { useState } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { CopyButton } from '../copying.tsx';
import { SettingsPage } from '../frame.tsx';
import { Show, useLoaded } from '../loaded.tsx';
import { zone } from '../words.ts';
import { KeyCard } from './key.tsx';
import { Operator } from './operator.tsx';
import { Plan } from './plan.tsx';
import { RecentRequests } from './requests.tsx';
import { Usage } from './usage.tsx';

type Access = Answer<'readAccess'>;

/** The key, its plan and limits, and its usage. */
export function ApiSettings() {
  const loaded = useLoaded('readAccess');
  return (
    <SettingsPage title="API" lead="Key, plan, limits and usage.">
      <Show loaded={loaded} name="your access">
        {(access) => <AccessShown access={access} />}
      </Show>
    </SettingsPage>
  );
}

function AccessShown({ access }: { access: Access }) {
  const [shown, setShown] = useState<Readonly<Record<string, string | undefined>>>({});
  const revealed = access.keys.map(({ keyId }) => shown[keyId]).find((key) => key !== undefined);
  const hasKey = access.keys.length > 0;
  const isReader = access.role === 'member';
  return (
    <>
      <section aria-labelledby="key-title">
        <h2 id="key-title">{access.keys.length > 1 ? 'API keys' : 'API key'}</h2>
        {access.keys.map((key, place) => (
          <KeyCard
            key={key.keyId}
            it={key}
            isLastUsed={place === 0 && key.lastUsedAt !== null && access.keys.length > 1}
            shown={shown[key.keyId]}
            show={(text) => setShown({ ...shown, [key.keyId]: text })}
          />
        ))}
        {hasKey ? <KeyAdvice contact={access.contact} /> : <NoKey access={access} />}
      </section>
      {hasKey && access.apiAccess && <FirstRequest address={access.address} shown={revealed} />}
      <Plan access={access} />
      {!isReader && (
        <>
          <Usage hasKey={hasKey} />
          <RecentRequests />
        </>
      )}
    </>
  );
}

function KeyAdvice({ contact }: { contact: string | null }) {
  return (
    <div class="advice">
      <p>
        <strong>Keep your key secret.</strong> Anyone who has it can read your organisation's data.
        Store it on servers only, never in a repository or in code that runs in a browser or an app.
      </p>
      <p>
        If you need a new key, or if others may have seen this one, ask{' '}
        <Operator contact={contact} /> to rotate it. The old key can stay valid for a while, so that
        nothing is interrupted.
      </p>
      <p class="muted">Times are in your time zone, {zone}.</p>
    </div>
  );
}

function NoKey({
  access: { role, apiAccess, organisation, administrators, contact },
}: {
  access: Access;
}) {
  if (role === 'member') {
    return (
      <div class="card empty">
        <p>
          <strong>Members do not have keys.</strong> Only the owners and administrators of{' '}
          {organisation} can have keys.
        </p>
        {administrators.length > 0 ? (
          <>
            <p>If you need data from the API, ask one of them:</p>
            <ul class="plain">
              {administrators.map((email) => (
                <li key={email}>
                  <a href={`mailto:${email}`}>{email}</a>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p>
            {organisation} has no owner or administrator yet. Ask <Operator contact={contact} />.
          </p>
        )}
      </div>
    );
  }
  if (!apiAccess) {
    return (
      <div class="card empty">
        <p>
          <strong>{organisation} does not have API access yet.</strong> It is granted to the whole
          organisation. After that, you can get a key, which will appear here.
        </p>
        <p>
          To request it, ask <Operator contact={contact} />.
        </p>
      </div>
    );
  }
  return (
    <div class="card empty">
      <p>
        <strong>You do not have a key yet.</strong> {organisation} has API access.
      </p>
      <p>
        Ask <Operator contact={contact} /> to issue you a key. It will appear here.
      </p>
    </div>
  );
}

function FirstRequest({ address, shown }: { address: string; shown: string | undefined }) {
  const command = `curl -s -X POST ${address}/channels \\
  -H 'x-api-key: ${shown ?? 'YOUR_KEY'}' \\
  -H 'content-type: application/json' \\
  -d '{}'`;
  return (
    <section id="first-request" aria-labelledby="first-request-title">
      <div class="section-head">
        <h2 id="first-request-title">First request</h2>
        <CopyButton text={command} name="the request" />
      </div>
      <p>
        This request lists the channels that you can access.{' '}
        {shown === undefined
          ? 'Replace YOUR_KEY with your key, or reveal the key above.'
          : 'It contains your key.'}{' '}
        Find out more in the <a href="/guides">guides</a> and the <a href="/reference">reference</a>
        .
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: the text itself scrolls. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label="The first request"
      >
        <code>{command}</code>
      </pre>
    </section>
  );
}
