import { useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { ask } from '../client.ts';
import { Username } from '../forms.tsx';
import { password } from '../parts/fields.tsx';
import { DialogForm } from '../parts/form.tsx';
import type { Refused } from '../refused.ts';
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
  const { session, begin } = useAccount();
  const isConfirmed = useRef(false);
  return (
    <DialogForm
      title="Enter your password"
      submit="Continue"
      lead={
        <>
          <p>You signed in a while ago. {purpose}, enter your password again.</p>
          <Username email={session?.email ?? ''} />
        </>
      }
      fields={{ password: password() }}
      send={async (entered) => {
        begin(await ask('confirmPassword', entered));
        isConfirmed.current = true;
      }}
      fieldOf={({ status }) => (status === 400 || status === 403 ? 'password' : undefined)}
      closed={() => closed(isConfirmed.current)}
    />
  );
}
