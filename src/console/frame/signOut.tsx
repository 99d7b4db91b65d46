import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAccount } from '../account.tsx';
import { ask } from '../client.ts';
import { Icon } from '../parts/icons.tsx';
import { invalidateAnswers } from '../queries.ts';
import type { Refused } from '../refused.ts';

/** Signs out; says why when that failed. */
export function SignOut() {
  const { end } = useAccount();
  const { route } = useLocation();
  const [problem, setProblem] = useState<string>();
  async function signOut(): Promise<void> {
    try {
      await ask('signOut');
    } catch (error) {
      // A session that has already ended counts as signed out.
      if ((error as Refused).status !== 401) return setProblem((error as Refused).message);
    }
    invalidateAnswers();
    end('You are signed out.');
    route('/console/sign-in');
  }
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Sign out"
        title="Sign out"
        onClick={signOut}
      >
        <Icon name="signOut" />
      </button>
      {problem !== undefined && (
        <p class="header-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
