/** Buttons with a pane below: menus and pickers. On phones the pane is a sheet at the bottom. */
import type { ComponentChildren } from 'preact';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

type PopoverProps = {
  /** The content of the button. */
  readonly label: ComponentChildren;
  /** The name of the button where its content does not say it. */
  readonly name?: string;
  readonly className?: string;
  /** The name of the pane. */
  readonly title: string;
  /** The key that opens it, for `aria-keyshortcuts`. */
  readonly shortcut?: string;
  /** The pane; `close` closes it and gives the focus back to the button. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a pane, which Escape, a click outside and leaving it close. */
export function Popover({
  label,
  name,
  className = 'control',
  title,
  shortcut,
  children,
}: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  // Before it is drawn, so that a key pressed at once finds it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const first = pane.current?.querySelector<HTMLElement>(
      '[data-first], input, [aria-current], button, a[href]',
    );
    first?.focus();
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', leave);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', leave);
    };
  }, [isOpen, close]);
  return (
    <div class="popover" ref={root}>
      <button
        type="button"
        class={className}
        ref={button}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-haspopup="dialog"
        aria-label={name}
        title={name}
        aria-keyshortcuts={shortcut}
        data-shortcut={shortcut?.toLowerCase()}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div class="pane" id={id} role="dialog" aria-label={title} ref={pane}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
