/** Copy buttons and their short messages. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './parts/icons.tsx';

const saidMilliseconds = 4_000;

/** Copies a text; false when the browser does not allow it, as without TLS. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A message that disappears after a few seconds. */
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
  /** The name of the copied text, for screen readers. */
  readonly name: string;
};

/** Copies the text next to it. */
export function CopyButton({ text, name }: CopyProps) {
  const [said, say] = useSaid();
  return (
    <span class="copy">
      <button
        type="button"
        class="icon-button"
        aria-label={`Copy ${name}`}
        title="Copy"
        onClick={async () => say((await copied(text)) ? 'Copied' : 'Select the text to copy it')}
      >
        <Icon name="copy" />
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </span>
  );
}
