import { type Answer, ask } from '../client.ts';
import { Question } from '../parts/form.tsx';
import { askAgain } from '../queries.ts';

type Key = Answer<'listKeys'>['keys'][number];
type RevokeProps = { readonly revoked: Key; readonly closed: () => void };

/** Asks whether a key should stop working, and revokes it. */
export function RevokeDialog({ revoked: { keyId, name, hint }, closed }: RevokeProps) {
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
      done={askAgain}
      closed={closed}
    >
      It stops working at once. Nobody can bring it back; issue a new key instead.
    </Question>
  );
}
