/** Documents on their way into channels. They go on while the operator looks at other sections. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { askAgain } from '../queries.ts';
import type { Refused } from '../refused.ts';
import { importDocument, type Recap, type RefusedDocument } from './importDocument.ts';
import type { OptionValues } from './importOptions.ts';

/** A document that was dropped or chosen. */
export type Upload = {
  readonly id: number;
  readonly channelId: string;
  readonly file: File;
  readonly name: string;
  readonly options: OptionValues;
  /** The part that was sent, from 0 to 1. */
  readonly sent: number;
  readonly recap: Recap | undefined;
  readonly problem: Refused | undefined;
};

/** The documents of this visit, the newest first. */
export type Uploads = {
  readonly all: readonly Upload[];
  readonly start: (channelId: string, files: Iterable<File>, options?: OptionValues) => void;
  readonly remove: (id: number) => void;
};

/** Whether a document is still being sent or read. */
export const isRunning = ({ recap, problem }: Upload): boolean =>
  recap === undefined && problem === undefined;

/** Sends documents one after the other; after each, all that is shown is read again. */
export function useUploads(): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const last = useRef(0);
  const line = useRef<Promise<void>>(Promise.resolve());
  const start = useCallback(
    (channelId: string, files: Iterable<File>, options: OptionValues = {}) => {
      for (const file of files) {
        last.current += 1;
        const id = last.current;
        const none = { recap: undefined, problem: undefined };
        const upload = { id, channelId, file, name: file.name, options, sent: 0, ...none };
        setAll((before) => [upload, ...before]);
        const note = (change: Partial<Upload>) =>
          setAll((before) => before.map((one) => (one.id === id ? { ...one, ...change } : one)));
        line.current = line.current
          .then(() => importDocument({ channelId, file, options }, (sent) => note({ sent })))
          .then(
            (recap) => note({ sent: 1, recap }),
            (problem: RefusedDocument) => note({ sent: 1, recap: problem.recap, problem }),
          )
          .then(askAgain);
      }
    },
    [],
  );
  const remove = useCallback(
    (id: number) => setAll((before) => before.filter((one) => one.id !== id)),
    [],
  );
  const isBusy = all.some(isRunning);
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);
  return useMemo(() => ({ all, start, remove }), [all, start, remove]);
}
