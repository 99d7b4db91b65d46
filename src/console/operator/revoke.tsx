import { useLayoutEffect, useRef } from 'preact/hooks';
import { FormError, SubmitButton } from '../forms.tsx';
import { useForm } from '../submit.ts';
import { useAccess } from './access.tsx';
import type { Answer } from './client.ts';

type Key = Answer<'listKeys'>['keys'][number];
type RevokeProps = { readonly revoked: Key; readonly close: () => void };

/** Asks whether a key should stop working, and revokes it. */
export function RevokeDialog({ revoked: { keyId, name, hint }, close }: RevokeProps) {
  const { ask, changed } = useAccess();
  const dialog = useRef<HTMLDialogElement>(null);
  const { errors, isBusy, submit } = useForm({
    check: () => ({}),
    async send() {
      await ask('revokeKey', { keyId });
      dialog.current?.close();
      changed();
    },
  });
  useLayoutEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="revoke-title" onClose={close}>
      <form class="form" onSubmit={submit} noValidate>
        <h2 id="revoke-title">
          Revoke {name} <code>{hint}</code>?
        </h2>
        <p>It stops working at once. Nobody can bring it back; issue a new key instead.</p>
        <FormError text={errors.form} />
        <div class="actions">
          <SubmitButton isBusy={isBusy}>Revoke the key</SubmitButton>
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep it
          </button>
        </div>
      </form>
    </dialog>
  );
}
