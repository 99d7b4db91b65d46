/** The signed-in user, for all pages. */

import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Answer, ask, enterBy } from './client.ts';
import type { Refused } from './refused.ts';

type Session = Answer<'readSession'>;

type Account = {
  /** Null when nobody is signed in, undefined until that is known. */
  readonly session: Session | null | undefined;
  /** Why the session could not be read. */
  readonly problem: Refused | undefined;
  /** Explains on the sign-in page why it is shown. */
  readonly notice: string | undefined;
  /** Reads the session. */
  readonly read: () => void;
  readonly begin: (session: Session) => void;
  readonly end: (notice: string) => void;
};

const Context = createContext<Account | undefined>(undefined);
const endedText = 'Your session has ended. Sign in to continue where you left off.';

/** Provides the account to the pages inside. */
export function AccountProvider({ children }: { children: ComponentChildren }) {
  const [session, setSession] = useState<Session | null>();
  const [problem, setProblem] = useState<Refused>();
  const [notice, setNotice] = useState<string>();
  const isAway = useAway(() => setSession(undefined));

  const end = useCallback((text: string) => {
    setSession(null);
    setNotice(text);
  }, []);
  const read = useCallback(() => {
    setProblem(undefined);
    ask('readSession').then(setSession, (error: Refused) => {
      if (error.status === 401) setSession(null);
      else setProblem(error);
    });
  }, []);
  const known = useRef(session);
  known.current = session;
  useEffect(() => {
    const closed = () => known.current && end(endedText);
    // The session says so, too, and leads to the page that sets one up.
    enterBy('account', { closed, withoutFactor: read });
  }, [read, end]);
  const account = useMemo<Account>(
    () => ({
      session,
      problem,
      notice,
      read,
      begin(next) {
        setNotice(undefined);
        setSession(next);
      },
      end,
    }),
    [session, problem, notice, read, end],
  );
  return <Context.Provider value={account}>{!isAway && children}</Context.Provider>;
}

/**
 * True once the page is left. Browsers store pages for the back button, and none may be stored with
 * a key on it. After coming back, `back` reads the session again, which may be another user's.
 */
function useAway(back: () => void): boolean {
  const [isAway, setAway] = useState(false);
  const comeBack = useRef(back);
  comeBack.current = back;
  useEffect(() => {
    const leave = () => setAway(true);
    const arrive = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      comeBack.current();
      setAway(false);
    };
    addEventListener('pagehide', leave);
    addEventListener('pageshow', arrive);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', arrive);
    };
  }, []);
  return isAway;
}

/** The account of the current page. */
export function useAccount(): Account {
  return useContext(Context)!;
}

/** The account, once it is known who is signed in. */
export function useKnownAccount(): Account {
  const account = useAccount();
  const isUnknown = account.session === undefined && account.problem === undefined;
  // Read once: any answer, and any failure, settles it.
  useEffect(() => {
    if (isUnknown) account.read();
  }, [isUnknown]);
  return account;
}
