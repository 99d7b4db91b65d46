/** Dialogs: a form above the page, and a question before something that cannot be undone. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { FormError, SubmitButton } from '../forms.tsx';
import { useForm } from '../submit.ts';

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

type QuestionProps = {
  readonly title: ComponentChildren;
  /** The consequences. */
  readonly children: ComponentChildren;
  /** The words of the button that does it. */
  readonly yes: string;
  readonly no?: string;
  readonly act: () => Promise<unknown>;
  /** Called once it is done and the dialog has closed. */
  readonly done: () => void;
  readonly closed: () => void;
};

/** Asks before something is done. */
export function Question({ title, children, yes, no = 'Cancel', ...rest }: QuestionProps) {
  const { act, done, closed } = rest;
  return (
    <Dialog title={title} closed={closed}>
      {(close) => (
        <QuestionForm {...{ yes, no, close }} act={() => act().then(close).then(done)}>
          {children}
        </QuestionForm>
      )}
    </Dialog>
  );
}

type FormProps = Pick<QuestionProps, 'act' | 'yes' | 'children'> & {
  readonly no: string;
  readonly close: () => void;
};

function QuestionForm({ act, yes, no, close, children }: FormProps) {
  const { errors, isBusy, submit } = useForm({
    check: () => ({}),
    async send() {
      await act();
    },
  });
  return (
    <form class="form" onSubmit={submit} noValidate>
      <p>{children}</p>
      <FormError text={errors.form} />
      <div class="actions">
        <SubmitButton isBusy={isBusy}>{yes}</SubmitButton>
        <button type="button" onClick={close}>
          {no}
        </button>
      </div>
    </form>
  );
}
