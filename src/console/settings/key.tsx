import { useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import type { Answer, Refused } from '../client.ts';
import { copied, useSaid } from '../copying.tsx';
import { inMoment } from '../words.ts';
import { useConfirmation } from './confirm.tsx';

type Key = Answer<'readAccess'>['keys'][number];

type KeyProps = {
  readonly it: Key;
  /** Such as the key that a rotation has replaced. */
  readonly name: string;
  readonly shown: string | undefined;
  readonly show: (key: string | undefined) => void;
};

/** A key: hidden until it is wanted; every look at it is kept in the audit. */
export function KeyCard({ it, name, shown, show }: KeyProps) {
  const { ask } = useAccount();
  const [said, say] = useSaid();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [confirm, dialog] = useConfirmation();

  async function reveal(): Promise<string | undefined> {
    const asked = { keyId: it.keyId };
    try {
      return (await ask('revealKey', asked)).key;
    } catch (error) {
      if ((error as Refused).status !== 403) throw error;
    }
    return (await confirm()) ? (await ask('revealKey', asked)).key : undefined;
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

  const reveals = () =>
    withKey((key) => {
      show(key);
      say('The key is shown.');
    });
  const hide = () => {
    show(undefined);
    say('The key is hidden.');
  };
  const copies = () =>
    withKey(async (key) => {
      if (await copied(key)) return say('The key is copied.');
      show(key);
      say('This browser does not let pages copy here: select the key to copy it.');
    });

  return (
    <div class="card key">
      <h3>{name}</h3>
      <div class="key-row">
        <code class="key-text">{shown ?? it.masked}</code>
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
      <dl class="facts">
        <div>
          <dt>Created</dt>
          <dd>{inMoment(it.createdAt)}</dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{it.lastUsedAt === null ? 'Not yet' : inMoment(it.lastUsedAt)}</dd>
        </div>
        <div>
          <dt>Ends</dt>
          <dd>{it.expiresAt === null ? 'Does not end by itself' : inMoment(it.expiresAt)}</dd>
        </div>
      </dl>
      {dialog}
    </div>
  );
}
