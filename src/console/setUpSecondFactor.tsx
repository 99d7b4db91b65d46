/** Where users without a second factor set one up, if the service requires it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from './account.tsx';
import { SignOut } from './frame/signOut.tsx';
import { NarrowPage } from './frame.tsx';
import { RecoveryCodes, TurnOn } from './settings/secondFactor.tsx';

/** The page that stands before all others until the second factor is on. */
export function SetUpSecondFactor() {
  const { session, read } = useAccount();
  const [codes, setCodes] = useState<readonly string[]>();
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The focused button disappeared with its form.
    if (codes !== undefined) shown.current?.focus();
  }, [codes]);
  return (
    <NarrowPage title="Set up two-step sign-in">
      <div class="panel">
        {codes === undefined ? (
          <>
            <p class="body">
              You are signed in as {session!.email}. This service requires a second step: besides
              your password, sign-in asks for a code of an authenticator app. Until it is set up, no
              other page opens.
            </p>
            <TurnOn done={setCodes} />
          </>
        ) : (
          <div class="body form">
            <div role="status" tabIndex={-1} ref={shown}>
              <RecoveryCodes codes={codes} />
            </div>
            <button type="button" class="primary" onClick={read}>
              I have stored them: continue
            </button>
          </div>
        )}
      </div>
      <div class="aside">
        Not you, or no app at hand? <SignOut />
      </div>
    </NarrowPage>
  );
}
