/** Forms: their fields by name, what they send, and the errors of both. */
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FormError, SubmitButton } from '../forms.tsx';
import type { Refused } from '../refused.ts';
import { Dialog } from './dialog.tsx';
import { Panel } from './panel.tsx';

/** A field's value, error and input, as it is shown. */
type Bound<Value> = {
  readonly name: string;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly error: string | undefined;
  readonly inputRef: Ref<HTMLInputElement>;
};

/** A field of a form. */
export type FormField<Value> = {
  /** Its value until the reader enters another. */
  readonly first: Value;
  /** The value as it is sent. */
  readonly sent?: (value: Value) => Value;
  /** The error in a value, before it is sent. */
  readonly check?: (value: Value) => string | undefined;
  readonly show: (bound: Bound<Value>) => ComponentChildren;
};

/** The fields of a form by the names of their values. */
export type FormFields<Values> = { readonly [Name in keyof Values]: FormField<Values[Name]> };

type FormProps<Values> = {
  /** The fields, or how they follow from what was entered. */
  readonly fields: FormFields<Values> | ((entered: Partial<Values>) => FormFields<Values>);
  /** Sends the values. The words that it returns say what was done. */
  readonly send: (values: Values) => Promise<unknown>;
  /** The words of the button. */
  readonly submit: string;
  /** The field that an error of the server belongs to; by default the one that it begins with. */
  readonly fieldOf?: (refused: Refused) => keyof Values | undefined;
  /** The record whose values the fields begin with; without one, fields are cleared once sent. */
  readonly record?: object;
  readonly className?: string;
  readonly lead?: ComponentChildren;
  /** An error that was there before the form. */
  readonly problem?: string | undefined;
  /** Ends the form without sending it, by a button with these words. */
  readonly cancel?: () => void;
  readonly no?: string;
  /** Below the button. */
  readonly children?: ComponentChildren;
};

type Errors<Values> = { readonly [Name in keyof Values | 'form']?: string | undefined };

/** The values of a form, what is wrong with them, and how they are sent. */
function useForm<Values extends object>({
  fields: given,
  send,
  fieldOf,
  record,
}: FormProps<Values>) {
  const [entered, setEntered] = useState<Partial<Values>>({});
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const inputs = useRef(new Map<string, HTMLInputElement>());
  useEffect(() => setEntered({}), [record]);
  const fields = typeof given === 'function' ? given(entered) : given;
  const names = Object.keys(fields) as (keyof Values & string)[];
  const valueAt = <Name extends keyof Values>(name: Name): Values[Name] =>
    name in entered ? entered[name]! : fields[name].first;
  const byName = (of: (name: keyof Values & string) => unknown) =>
    Object.fromEntries(names.map((name) => [name, of(name)]));

  /** Shows errors, and moves to the first of them. */
  function areWrong(found: Errors<Values>): boolean {
    const wrong = Object.entries(found).filter(([, text]) => text !== undefined);
    setErrors(found);
    inputs.current.get(wrong.find(([name]) => inputs.current.has(name))?.[0] ?? '')?.focus();
    return wrong.length > 0;
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const check = byName((name) => fields[name].check?.(valueAt(name)));
    if (isBusy || areWrong(check as Errors<Values>)) return;
    setBusy(true);
    setSaid('');
    try {
      const sent = byName((name) => fields[name].sent?.(valueAt(name)) ?? valueAt(name));
      const done = await send(sent as Values);
      setSaid(typeof done === 'string' ? done : '');
      if (record === undefined) setEntered({});
    } catch (error) {
      const refused = error as Refused;
      const first = refused.message.split(/\W/)[0]!.toLowerCase();
      const isFirst = (name: string) => name.toLowerCase() === first;
      const name = fieldOf === undefined ? names.find(isFirst) : fieldOf(refused);
      areWrong({ [name ?? 'form']: refused.message } as Errors<Values>);
    } finally {
      setBusy(false);
    }
  }

  const show = <Name extends keyof Values & string>(name: Name) =>
    fields[name].show({
      name,
      value: valueAt(name),
      onValue: (value) => setEntered((before) => ({ ...before, [name]: value })),
      error: errors[name],
      inputRef: (input) => {
        if (input === null) inputs.current.delete(name);
        else inputs.current.set(name, input);
      },
    });
  return { error: errors.form, isBusy, said, submit, shown: names.map(show) };
}

/** A form with its fields, its errors and its button. */
export function Form<Values extends object>(props: FormProps<Values>) {
  const { className = 'body form', lead, problem, cancel, no = 'Cancel', children } = props;
  const { error, isBusy, said, submit, shown } = useForm(props);
  const isWide = /\bfields\b/.test(className);
  return (
    <form class={className} onSubmit={submit} noValidate>
      {lead}
      <FormError text={error ?? problem} />
      {shown}
      <div class="actions">
        <SubmitButton isBusy={isBusy}>{props.submit}</SubmitButton>
        {cancel && (
          <button type="button" onClick={cancel}>
            {no}
          </button>
        )}
        {isWide && <span role="status">{said}</span>}
      </div>
      {!isWide && <div role="status">{said !== '' && <p class="notice">{said}</p>}</div>}
      {children}
    </form>
  );
}

/** A button that opens a form in a panel of its own, until it is sent. */
export function OpenedForm<Values extends object>({
  label,
  send,
  ...form
}: Omit<FormProps<Values>, 'cancel' | 'className'> & {
  /** The text of the button, such as "Issue a key". */
  readonly label: string;
}) {
  const [isOpen, setOpen] = useState(false);
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
      <Form<Values>
        {...form}
        cancel={() => setOpen(false)}
        send={async (values) => {
          await send(values);
          setOpen(false);
        }}
      />
    </Panel>
  );
}

/** A form in a dialog, which closes once it is sent. */
export function DialogForm<Values extends object>({
  title,
  closed,
  send,
  ...form
}: Omit<FormProps<Values>, 'cancel' | 'className'> & {
  readonly title: ComponentChildren;
  /** Called when the dialog has closed, however that happened. */
  readonly closed: () => void;
}) {
  return (
    <Dialog title={title} closed={closed}>
      {(close) => (
        <Form<Values>
          {...form}
          className="form"
          cancel={close}
          send={async (values) => {
            await send(values);
            close();
          }}
        />
      )}
    </Dialog>
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
export function Question({
  title,
  children,
  yes,
  no = 'Cancel',
  act,
  done,
  closed,
}: QuestionProps) {
  const isDone = useRef(false);
  return (
    <DialogForm
      fields={{}}
      lead={<p>{children}</p>}
      submit={yes}
      send={async () => {
        await act();
        isDone.current = true;
      }}
      closed={() => {
        closed();
        if (isDone.current) done();
      }}
      title={title}
      no={no}
    />
  );
}
