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

/** The key, what it may be used for, and what it was used for. */
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
  // The newest key is the one to use, and so the one of the example.
  const [shown, setShown] = useState<Readonly<Record<string, string | undefined>>>({});
  const newest = access.keys[0];
  const isReader = access.role === 'member';
  return (
    <>
      <section aria-labelledby="key-title">
        <h2 id="key-title">API key</h2>
        {access.keys.map((key, place) => (
          <KeyCard
            key={key.keyId}
            it={key}
            name={
              place === 0
                ? 'Key'
                : key.expiresAt === null
                  ? 'Another key'
                  : 'Former key, in its time of grace'
            }
            shown={shown[key.keyId]}
            show={(text) => setShown({ ...shown, [key.keyId]: text })}
          />
        ))}
        {newest === undefined ? <NoKey access={access} /> : <KeyAdvice contact={access.contact} />}
      </section>
      {newest !== undefined && access.apiAccess && (
        <FirstRequest address={access.address} shown={shown[newest.keyId]} />
      )}
      <Plan access={access} />
      {!isReader && (
        <>
          <Usage perDay={newest?.limits.perDay} />
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
        <strong>A key is a secret.</strong> Whoever has it can read the data of your organisation.
        Keep it on servers: never in code that runs in a browser or an app, nor in a repository.
      </p>
      <p>
        For a new key, or when this one may have become known to others, ask{' '}
        <Operator contact={contact} /> to rotate it. The old one can go on working for a while, so
        that nothing has to stop.
      </p>
      <p class="muted">Times are in your zone, {zone}.</p>
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
          <strong>Members have no key of their own.</strong> Keys belong to the owners and
          administrators of {organisation}.
        </p>
        {administrators.length > 0 ? (
          <>
            <p>Ask one of them for what you need from the API:</p>
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
            Nobody owns or administers {organisation} yet: ask <Operator contact={contact} />.
          </p>
        )}
      </div>
    );
  }
  if (!apiAccess) {
    return (
      <div class="card empty">
        <p>
          <strong>{organisation} does not use the API yet.</strong> API access belongs to the
          organisation; once it is there, you get a key and find it here.
        </p>
        <p>
          To get it, ask <Operator contact={contact} />.
        </p>
      </div>
    );
  }
  return (
    <div class="card empty">
      <p>
        <strong>You have no key yet.</strong> {organisation} may use the API; the key itself is
        issued to you.
      </p>
      <p>
        Ask <Operator contact={contact} /> for one. You will find it here.
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
        This lists the channels that you may reach.{' '}
        {shown === undefined
          ? 'Put your key in the place of YOUR_KEY, or reveal it above.'
          : 'It holds your key.'}{' '}
        All else is in the <a href="/guides">guides</a> and the <a href="/reference">reference</a>.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: it is the text itself that scrolls. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
        tabIndex={0}
        role="region"
        aria-label="The first request"
      >
        <code>{command}</code>
      </pre>
    </section>
  );
}
