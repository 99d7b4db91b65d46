/** The kinds of fields of forms. */
import type { ComponentChildren } from 'preact';
import { Field, newPasswordError, PasswordField, Select } from '../forms.tsx';
import type { FormField } from './form.tsx';

type TextOptions = {
  readonly first?: string;
  readonly hint?: string;
  readonly type?: 'date' | 'email' | 'password';
  readonly autocomplete?: 'name' | 'one-time-code' | 'username';
  readonly hasFocus?: boolean;
  /** The error without a text; it is optional if there is none. */
  readonly missing?: string;
  /** The error in a text. */
  readonly check?: (text: string) => string | undefined;
};

/** A text. */
export function text(label: string, options: TextOptions = {}): FormField<string> {
  const { first = '', missing, check, ...rest } = options;
  return {
    first,
    sent: (value) => value.trim(),
    check: (value) => (value.trim() === '' && missing ? missing : check?.(value.trim())),
    show: (bound) => (
      <Field
        key={bound.name}
        label={label}
        type="text"
        autocomplete="off"
        isOptional={missing === undefined}
        {...rest}
        {...bound}
      />
    ),
  };
}

type PasswordOptions = {
  readonly label?: string;
  readonly isNew?: boolean;
  readonly hasFocus?: boolean;
  readonly missing?: string;
};

/** A password. */
export function password(options: PasswordOptions = {}): FormField<string> {
  const { label = 'Password', isNew = false, hasFocus = false, missing } = options;
  const old = (value: string) => (value === '' ? (missing ?? 'Enter your password.') : undefined);
  return {
    first: '',
    check: isNew ? newPasswordError : old,
    show: ({ name, ...bound }) => (
      <PasswordField key={name} label={label} isNew={isNew} hasFocus={hasFocus} {...bound} />
    ),
  };
}

/** A code of the second factor. */
export function code(
  missing: string,
  hint = 'The six digits of your authenticator app, or a recovery code.',
): FormField<string> {
  return text('Code', { missing, hint, autocomplete: 'one-time-code' });
}

/** Names of the values of a choice, in their order. */
export type Names<Id extends string> = Readonly<Record<Id, string>>;

/** A choice of one among several. */
export function choice<Id extends string>(
  label: ComponentChildren,
  names: Names<Id> | readonly { readonly id: Id; readonly name: string }[],
  { first, hint }: { readonly first: Id; readonly hint?: string },
): FormField<Id> {
  const options = Array.isArray(names)
    ? (names as readonly { readonly id: Id; readonly name: string }[])
    : Object.entries<string>(names as Names<Id>).map(([id, name]) => ({ id, name }));
  // A former choice may not be among the options any more.
  const among = (value: Id) => (options.some(({ id }) => id === value) ? value : first);
  return {
    first,
    sent: among,
    show: ({ name, value, onValue }) => (
      <Select
        key={name}
        label={label}
        value={among(value)}
        options={options}
        onValue={(id) => onValue(id as Id)}
        {...(hint !== undefined && { hint })}
      />
    ),
  };
}

/** A choice of any among several. */
export function checks<Id extends string>(
  names: Readonly<Record<Id, ComponentChildren>>,
  first: readonly Id[],
  frame: (boxes: ComponentChildren) => ComponentChildren,
): FormField<readonly Id[]> {
  const ids = Object.keys(names) as Id[];
  return {
    first,
    show: ({ value, onValue }) =>
      frame(
        ids.map((id) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={value.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                onValue(ids.filter((one) => (one === id ? checked : value.includes(one))))
              }
            />
            {names[id]}
          </label>
        )),
      ),
  };
}

/** A field that is not shown for now. */
export const unseen = <Value,>(first: Value): FormField<Value> => ({ first, show: () => null });
