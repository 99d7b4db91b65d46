/** A dialog above the page. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

type DialogProps = {
  readonly title: ComponentChildren;
  /** Called when the dialog has closed, however that happened. */
  readonly closed: () => void;
  /** The content; `close` closes the dialog, and the browser gives the focus back. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A dialog, which Escape closes. */
export function Dialog({ title, closed, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // In a layout effect, so that the first field exists to take the focus.
  useLayoutEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={closed}>
      <h2 id={id}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
