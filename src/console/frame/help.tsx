/** The keys that the console knows. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { views } from '../pages.ts';
import { areShortcutsOn, switchShortcuts } from './shortcuts.ts';

const keys: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'Go to a view, a store or a setting'],
  ...views.flatMap(({ name, letter }): [string, string][] =>
    letter === undefined ? [] : [[`G ${letter.toUpperCase()}`, name]],
  ),
  ['/', 'Search the table'],
  ['D', 'Period'],
  ['C', 'Comparison'],
  ['T', 'Theme'],
  ['?', 'This list'],
];

/** A dialog with all shortcuts, and the switch that turns single keys off. */
export function Help({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(areShortcutsOn);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="help" ref={dialog} aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keyboard</h2>
      <dl>
        {keys.map(([key, name]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            switchShortcuts(checked);
            setOn(checked);
          }}
        />
        Use shortcuts of a single key
      </label>
      <button type="button" class="control" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
