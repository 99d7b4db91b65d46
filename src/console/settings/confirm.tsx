import { useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { ask } from '../client.ts';
import { FormError, PasswordField, SubmitButton, Username } from '../forms.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { Refused } from '../refused.ts';
import { useForm } from '../submit.ts';
import type { Sure } from './member.ts';

type Answer = (isConfirmed: boolean) => void;

/**
 * Asks for the password in a dialog; `purpose` says what for, such as "To see your key". Returns
 * the function that opens it, and the dialog itself.
 */
export function useConfirmation(
  purpose: string,
): [() => Promise<boolean>, preact.JSX.Element | undefined] {
  const [answer, setAnswer] = useState<{ readonly give: Answer }>();
  const open = () => new Promise<boolean>((give) => setAnswer({ give }));
  const closed: Answer = (isConfirmed) => {
    answer?.give(isConfirmed);
    setAnswer(undefined);
  };
  return [open, answer && <Confirmation purpose={purpose} closed={closed} />];
}

/**
 * Runs what needs the password, and asks for it first if it was entered too long ago. Returns the
 * function, and the dialog itself.
 */
export function useSure(purpose: string): [Sure, preact.JSX.Element | undefined] {
  const [confirm, dialog] = useConfirmation(purpose);
  const sure: Sure = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error as Refused).needsPassword || !(await confirm())) throw error;
      return work();
    }
  };
  return [sure, dialog];
}

type ConfirmationProps = { readonly purpose: string; readonly closed: Answer };

function Confirmation({ purpose, closed }: ConfirmationProps) {
  const isConfirmed = useRef(false);
  return (
    <Dialog title="Enter your password" closed={() => closed(isConfirmed.current)}>
      {(close) => (
        <ConfirmationForm
          purpose={purpose}
          close={close}
          confirmed={() => {
            isConfirmed.current = true;
            close();
          }}
        />
      )}
    </Dialog>
  );
}

type FormProps = {
  readonly purpose: string;
  readonly confirmed: () => void;
  readonly close: () => void;
};

function ConfirmationForm({ purpose, confirmed, close }: FormProps) {
  const { session, begin } = useAccount();
  const [password, setPassword] = useState('');
  const { errors, isBusy, refOf, submit } = useForm<'password'>({
    check: () => ({ password: password === '' ? 'Enter your password.' : undefined }),
    async send() {
      begin(await ask('confirmPassword', { password }));
      confirmed();
    },
    fieldOf: ({ status }) => (status === 400 || status === 403 ? 'password' : undefined),
  });
  return (
    <form class="form" onSubmit={submit} noValidate>
      <p>You signed in a while ago. {purpose}, enter your password again.</p>
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
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
