import { useState } from 'preact/hooks';
import { type Answer, ask } from '../client.ts';
import { copied, useSaid } from '../copying.tsx';
import { Question } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { boundsWords } from '../parts/keyBounds.tsx';
import type { Refused } from '../refused.ts';
import { inAgo, inMoment, inNumbers } from '../words.ts';
import { useConfirmation } from './confirm.tsx';

type Key = Answer<'readAccess'>['keys'][number];

type KeyProps = {
  readonly it: Key;
  /** Its use of today, once it is known. */
  readonly usage: Answer<'readUsage'>['keys'][number] | undefined;
  readonly shown: string | undefined;
  readonly show: (key: string | undefined) => void;
  /** Called after the key was revoked. */
  readonly changed: () => void;
};

/** A row of a key, hidden until it is revealed; the audit log records every reveal. */
export function KeyRow({ it, usage, shown, show, changed }: KeyProps) {
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
  const { usedToday, perDay } = usage ?? {};
  const words = boundsWords(it);

  return (
    <tr class="key">
      <th scope="row" title={`Issued ${inMoment(it.createdAt)}`}>
        {it.name}
        {words !== undefined && <div class="muted bounds">{words}</div>}
      </th>
      <td>
        <code class="key-text">{shown ?? maskedOf(it.hint)}</code>
        <div role="alert">{problem !== undefined && <p class="error">{problem}</p>}</div>
      </td>
      <td>{it.lastUsedAt === null ? <span class="muted">Never</span> : inAgo(it.lastUsedAt)}</td>
      <td class="number">
        {usedToday === undefined ? '–' : inNumbers(usedToday)}
        {typeof perDay === 'number' && <span class="muted"> of {inNumbers(perDay)}</span>}
      </td>
      <td>{it.expiresAt === null ? <span class="muted">Never</span> : inMoment(it.expiresAt)}</td>
      <td>
        <div class="actions">
          <span role="status" class="said">
            {said}
          </span>
          {shown === undefined ? (
            <button type="button" class="control" aria-disabled={isBusy} onClick={reveals}>
              <Icon name="eye" />
              Reveal
            </button>
          ) : (
            <button type="button" class="control" onClick={hide}>
              <Icon name="eye" />
              Hide
            </button>
          )}
          <button type="button" class="control" aria-disabled={isBusy} onClick={copies}>
            <Icon name="copy" />
            Copy
          </button>
          {it.madeFrom !== null && <RevokeMade it={it} changed={changed} />}
        </div>
        {dialog}
      </td>
    </tr>
  );
}

/** Revokes a key that its user has made, after a question. */
function RevokeMade({ it, changed }: Pick<KeyProps, 'it' | 'changed'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="control"
        aria-label={`Revoke ${it.name} ${it.hint}`}
        onClick={() => setOpen(true)}
      >
        Revoke
      </button>
      {isOpen && (
        <Question
          title={`Revoke ${it.name}?`}
          yes="Revoke the key"
          no="Keep it"
          act={() => ask('revokeMadeKey', { keyId: it.keyId })}
          done={changed}
          closed={() => setOpen(false)}
        >
          It stops working at once. Nobody can bring it back; make a new key instead.
        </Question>
      )}
    </>
  );
}

/** How every key begins, dots in the place of the rest, and the end by which it is recognised. */
const maskedOf = (hint: string): string => hint.replace('...', 'vit_••••');

/** The name of a key, with the end by which it is recognised. */
export function KeyName({ name, hint }: { name: string; hint: string }) {
  return (
    <span class="key-name">
      {name} <code>{hint}</code>
    </span>
  );
}

/** Gets the key, after asking for the password if necessary, and uses it. */
function useKey(keyId: string, shown: string | undefined) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [confirm, dialog] = useConfirmation('To see your key');

  async function reveal(): Promise<string | undefined> {
    try {
      return (await ask('revealKey', { keyId })).key;
    } catch (error) {
      if (!(error as Refused).needsPassword) throw error;
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
