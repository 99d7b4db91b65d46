/** A button that opens a form in a panel of its own. */
import type { ComponentChildren } from 'preact';
import { FormError, SubmitButton } from '../forms.tsx';
import type { useForm } from '../submit.ts';
import { Panel } from './panel.tsx';

type Props = {
  /** The text of the button, such as "Issue a key". */
  readonly label: string;
  readonly submitLabel: string;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly form: Pick<ReturnType<typeof useForm<never>>, 'errors' | 'isBusy' | 'submit'>;
  readonly children: ComponentChildren;
};

/** The button, or the form with these fields once it is open. */
export function OpenedForm({ label, submitLabel, isOpen, setOpen, form, children }: Props) {
  if (!isOpen)
    return (
      <div>
        <button type="button" class="control primary" onClick={() => setOpen(true)}>
          {label}
        </button>
      </div>
    );
  return (
    <Panel title={label}>
      <form class="body form" onSubmit={form.submit} noValidate>
        <FormError text={form.errors.form} />
        {children}
        <div class="actions">
          <SubmitButton isBusy={form.isBusy}>{submitLabel}</SubmitButton>
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        </div>
      </form>
    </Panel>
  );
}
