import { Question } from '../parts/dialog.tsx';
import { useAccess } from './access.tsx';
import type { Answer } from './client.ts';

type Key = Answer<'listKeys'>['keys'][number];
type RevokeProps = { readonly revoked: Key; readonly closed: () => void };

/** Asks whether a key should stop working, and revokes it. */
export function RevokeDialog({ revoked: { keyId, name, hint }, closed }: RevokeProps) {
  const { ask, changed } = useAccess();
  return (
    <Question
      title={
        <>
          Revoke {name} <code>{hint}</code>?
        </>
      }
      yes="Revoke the key"
      no="Keep it"
      act={() => ask('revokeKey', { keyId })}
      done={changed}
      closed={closed}
    >
      It stops working at once. Nobody can bring it back; issue a new key instead.
    </Question>
  );
}
