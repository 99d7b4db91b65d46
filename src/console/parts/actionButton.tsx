/** Buttons that do something and say what came of it. */

import { useSaid } from '../copying.tsx';
import type { Refused } from '../refused.ts';
import { Icon, type IconName } from './icons.tsx';

type ActionProps = {
  readonly icon: IconName;
  readonly words: string;
  /** Its name for screen readers: the words, and what they are about. */
  readonly name: string;
  /** Does it; the words that it returns are shown for a while. */
  readonly act: () => Promise<string | undefined>;
  readonly className?: string;
  readonly title?: string;
};

/** A button whose action may fail, in a row of a table. */
export function ActionButton({ icon, words, name, act, className, title }: ActionProps) {
  const [said, say] = useSaid();
  return (
    <>
      <button
        type="button"
        class={className ?? 'control'}
        title={title}
        aria-label={name}
        onClick={() =>
          act().then(
            (done) => done !== undefined && say(done),
            (error: Refused) => say(error.message),
          )
        }
      >
        <Icon name={icon} />
        {words}
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </>
  );
}
