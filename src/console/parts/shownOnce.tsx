import type { ComponentChildren } from 'preact';
import { CopyButton } from '../copying.tsx';
import { Panel } from './panel.tsx';

type ShownOnceProps = {
  readonly title: string;
  readonly text: string;
  /** The name of the text, for the button that copies it. */
  readonly name: string;
  readonly children: ComponentChildren;
};

/** A secret that no other page shows again, such as a new key or a link. */
export function ShownOnce({ title, text, name, children }: ShownOnceProps) {
  return (
    <Panel title={title}>
      <div class="body shown-once" role="status">
        <p>{children}</p>
        <p>
          <code>{text}</code> <CopyButton text={text} name={name} />
        </p>
      </div>
    </Panel>
  );
}
