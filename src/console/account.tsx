/** Who is signed in, for all pages. */
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Answer, ask, Refused } from './client.ts';

type Session = Answer<'readSession'>;

type Account = {
  /** Null where nobody is signed in, undefined as long as that is not known. */
  readonly session: Session | null | undefined;
  /** Why it is not known. */
  readonly problem: string | undefined;
  /** Said on the sign-in page: why one is there. */
  readonly notice: string | undefined;
  /** Finds out who is signed in. */
  readonly read: () => void;
  readonly begin: (session: Session) => void;
  readonly end: (notice: string) => void;
  /** Like `ask`, and notices that the session has ended. */
  readonly ask: typeof ask;
};

const Context = createContext<Account | undefined>(undefined);
const endedText = 'Your session has ended. Sign in to go on where you were.';

/** Keeps the account for the pages within. */
export function AccountProvider({ children }: { children: ComponentChildren }) {
  const [session, setSession] = useState<Session | null>();
  const [problem, setProblem] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const isAway = useAway(() => setSession(undefined));

  const end = useCallback((words: string) => {
    setSession(null);
    setNotice(words);
  }, []);
  const account = useMemo<Account>(
    () => ({
      session,
      problem,
      notice,
      read() {
        setProblem(undefined);
        ask('readSession').then(setSession, (error: Refused) => {
          if (error.status === 401) setSession(null);
          else setProblem(error.message);
        });
      },
      begin(next) {
        setNotice(undefined);
        setSession(next);
      },
      end,
      async ask(name, ...asked) {
        try {
          return await ask(name, ...asked);
        } catch (error) {
          if (error instanceof Refused && error.status === 401) end(endedText);
          throw error;
        }
      },
    }),
    [session, problem, notice, end],
  );
  return <Context.Provider value={account}>{!isAway && children}</Context.Provider>;
}

/**
 * True from when the page is left: browsers keep pages for those who go back, and none is kept with a key on it. Whoever comes back is asked
 * for anew, as somebody else may have come in between.
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

/** The account. */
export function useAccount(): Account {
  return useContext(Context)!;
}

/** The account, once it is known who is signed in. */
export function useKnownAccount(): Account {
  const account = useAccount();
  const isUnknown = account.session === undefined && account.problem === undefined;
  // Asked once: each answer, or the lack of one, makes it known.
  useEffect(() => {
    if (isUnknown) account.read();
  }, [isUnknown]);
  return account;
}
