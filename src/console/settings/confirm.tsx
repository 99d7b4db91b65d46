import { useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { FormError, PasswordField, SubmitButton, Username } from '../forms.tsx';
import { useForm } from '../submit.ts';

/** Asks for the password in a dialog. Returns what opens it, which says whether the password was entered, and the dialog. */
export function useConfirmation(): [() => Promise<boolean>, preact.JSX.Element] {
  const dialog = useRef<HTMLDialogElement>(null);
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);
  const [round, setRound] = useState(0);

  function open(): Promise<boolean> {
    // A form of its own each time: nothing of the last one is left.
    setRound(round + 1);
    dialog.current!.showModal();
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  }
  function close(isConfirmed: boolean): void {
    answer.current?.(isConfirmed);
    answer.current = undefined;
    dialog.current?.close();
  }
  const element = (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => close(false)}>
      <Confirmation key={round} close={close} />
    </dialog>
  );
  return [open, element];
}

function Confirmation({ close }: { close: (isConfirmed: boolean) => void }) {
  const { ask, session, begin } = useAccount();
  const [password, setPassword] = useState('');
  const { errors, isBusy, refOf, submit } = useForm<'password'>({
    check: () => ({ password: password === '' ? 'Enter your password.' : undefined }),
    async send() {
      begin(await ask('confirmPassword', { password }));
      close(true);
    },
    fieldOf: ({ status }) => (status === 400 || status === 403 ? 'password' : undefined),
  });
  return (
    <form class="form" onSubmit={submit} noValidate>
      <h2 id="confirm-title">Enter your password</h2>
      <p>It has been a while since you signed in. To see your key, enter your password once more.</p>
      <FormError text={errors.form} />
      <Username email={session?.email ?? ''} />
      <PasswordField label="Password" value={password} onValue={setPassword} error={errors.password} inputRef={refOf('password')} />
      <div class="actions">
        <SubmitButton isBusy={isBusy}>Continue</SubmitButton>
        <button type="button" onClick={() => close(false)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
