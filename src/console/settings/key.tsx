import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import type { Answer, Refused } from '../client.ts';
import { copied, useSaid } from '../copying.tsx';
import { inMoment } from '../words.ts';
import { useConfirmation } from './confirm.tsx';

type Key = Answer<'readAccess'>['keys'][number];

type KeyProps = {
  readonly it: Key;
  /** Whether this one of several keys was used last. */
  readonly isLastUsed: boolean;
  readonly shown: string | undefined;
  readonly show: (key: string | undefined) => void;
};

/** A key, hidden until it is revealed; the audit log records every reveal. */
export function KeyCard({ it, isLastUsed, shown, show }: KeyProps) {
  const [said, say] = useSaid();
  const { withKey, problem, isBusy, dialog } = useKey(it.keyId, shown);

  const reveals = () =>
    withKey((key) => {
      show(key);
      say('Key shown.');
    });
  const hide = () => {
    show(undefined);
    say('Key hidden.');
  };
  const copies = () =>
    withKey(async (key) => {
      if (await copied(key)) return say('Key copied.');
      show(key);
      say('This browser does not allow copying here: select the key to copy it.');
    });

  return (
    <div class="card key">
      <h3>
        {it.name} {isLastUsed && <span class="tag">Last used</span>}
      </h3>
      <div class="key-row">
        <code class="key-text">{shown ?? it.hint}</code>
        <div class="actions">
          {shown === undefined ? (
            <button type="button" aria-disabled={isBusy} onClick={reveals}>
              Reveal
            </button>
          ) : (
            <button type="button" onClick={hide}>
              Hide
            </button>
          )}
          <button type="button" class="primary" aria-disabled={isBusy} onClick={copies}>
            Copy
          </button>
        </div>
      </div>
      <p role="status" class="said">
        {said}
      </p>
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      <KeyFacts it={it} />
      {dialog}
    </div>
  );
}

/** The name of a key, with the end by which it is recognised. */
export function KeyName({ name, hint }: { name: string; hint: string }) {
  return (
    <span class="key-name">
      {name} <code>{hint}</code>
    </span>
  );
}

function KeyFacts({ it: { createdAt, lastUsedAt, expiresAt } }: { it: Key }) {
  return (
    <dl class="facts">
      <div>
        <dt>Created</dt>
        <dd>{inMoment(createdAt)}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>{lastUsedAt === null ? 'Never' : inMoment(lastUsedAt)}</dd>
      </div>
      <div>
        <dt>Expires</dt>
        <dd>{expiresAt === null ? 'Never' : inMoment(expiresAt)}</dd>
      </div>
    </dl>
  );
}

/** Gets the key, after asking for the password if necessary, and uses it. */
function useKey(keyId: string, shown: string | undefined) {
  const { ask } = useAccount();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [confirm, dialog] = useConfirmation();

  async function reveal(): Promise<string | undefined> {
    try {
      return (await ask('revealKey', { keyId })).key;
    } catch (error) {
      if ((error as Refused).status !== 403) throw error;
    }
    return (await confirm()) ? (await ask('revealKey', { keyId })).key : undefined;
  }

  async function withKey(use: (key: string) => Promise<void> | void): Promise<void> {
    if (isBusy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      const key = shown ?? (await reveal());
      if (key !== undefined) await use(key);
    } catch (error) {
      setProblem((error as Refused).message);
    } finally {
      setBusy(false);
    }
  }
  return { withKey, problem, isBusy, dialog };
}
