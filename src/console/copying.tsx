/** Buttons that copy. */
import { useEffect, useRef, useState } from 'preact/hooks';

const saidMilliseconds = 4_000;

/** Copies a text; false where the browser does not let pages copy, as on addresses without TLS. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Words that are said for a while. */
export function useSaid(): [string, (words: string) => void] {
  const [words, setWords] = useState('');
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [
    words,
    (next) => {
      clearTimeout(timer.current);
      setWords(next);
      timer.current = setTimeout(() => setWords(''), saidMilliseconds);
    },
  ];
}

type CopyProps = {
  readonly text: string;
  /** What is copied, within a sentence: the button is called so for those who do not see where it stands. */
  readonly name: string;
};

/** Copies what stands beside it. */
export function CopyButton({ text, name }: CopyProps) {
  const [said, say] = useSaid();
  return (
    <span class="copy">
      <button
        type="button"
        class="quiet"
        aria-label={`Copy ${name}`}
        onClick={async () => say((await copied(text)) ? 'Copied' : 'Select it to copy it')}
      >
        Copy
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </span>
  );
}
