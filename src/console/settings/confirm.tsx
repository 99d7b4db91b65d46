import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { FormError, PasswordField, SubmitButton, Username } from '../forms.tsx';
import { useForm } from '../submit.ts';

type Answer = (isConfirmed: boolean) => void;

/** Asks for the password in a dialog. Returns the function that opens it, and the dialog itself. */
export function useConfirmation(): [() => Promise<boolean>, preact.JSX.Element | undefined] {
  const [answer, setAnswer] = useState<{ readonly give: Answer }>();
  const open = () => new Promise<boolean>((give) => setAnswer({ give }));
  const closed: Answer = (isConfirmed) => {
    answer?.give(isConfirmed);
    setAnswer(undefined);
  };
  return [open, answer && <Confirmation closed={closed} />];
}

function Confirmation({ closed }: { closed: Answer }) {
  const { ask, session, begin } = useAccount();
  const dialog = useRef<HTMLDialogElement>(null);
  const isConfirmed = useRef(false);
  const [password, setPassword] = useState('');
  const { errors, isBusy, refOf, submit } = useForm<'password'>({
    check: () => ({ password: password === '' ? 'Enter your password.' : undefined }),
    async send() {
      begin(await ask('confirmPassword', { password }));
      isConfirmed.current = true;
      dialog.current?.close();
    },
    fieldOf: ({ status }) => (status === 400 || status === 403 ? 'password' : undefined),
  });
  // In a layout effect, so that the field exists to take the focus.
  useLayoutEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      onClose={() => closed(isConfirmed.current)}
    >
      <form class="form" onSubmit={submit} noValidate>
        <h2 id="confirm-title">Enter your password</h2>
        <p>You signed in a while ago. To see your key, enter your password again.</p>
        <FormError text={errors.form} />
        <Username email={session?.email ?? ''} />
        <PasswordField
          label="Password"
          value={password}
          onValue={setPassword}
          error={errors.password}
          inputRef={refOf('password')}
        />
        <div class="actions">
          <SubmitButton isBusy={isBusy}>Continue</SubmitButton>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
