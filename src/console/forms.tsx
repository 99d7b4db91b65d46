/** Form fields with labels, hints and errors. */

import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { passwordLengthMin } from './client.ts';
import { counted } from './words.ts';

type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly type: 'date' | 'email' | 'password' | 'text';
  readonly name: string;
  /** Whether it has the focus when the page appears. */
  readonly hasFocus?: boolean;
  readonly isOptional?: boolean;
  readonly autocomplete:
    | 'username'
    | 'name'
    | 'current-password'
    | 'new-password'
    | 'one-time-code'
    | 'off';
  /** Shown inside the frame of the field. */
  readonly children?: ComponentChildren;
};

/** A text field. */
export function Field({
  label,
  value,
  onValue,
  error,
  hint,
  inputRef,
  type,
  name,
  autocomplete,
  hasFocus = false,
  isOptional = false,
  children,
}: FieldProps) {
  const id = useId();
  // Browsers do not focus a field of a page that appears later.
  useEffect(() => {
    if (hasFocus) document.getElementById(id)?.focus();
  }, [hasFocus, id]);
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class="entry">
        <input
          type={type as 'text'}
          name={name}
          autocomplete={autocomplete}
          required={!isOptional}
          spellcheck={false}
          autocapitalize="none"
          id={id}
          ref={inputRef ?? null}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
          aria-invalid={error !== undefined}
          aria-describedby={described || undefined}
        />
        {children}
      </div>
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

type SelectProps = {
  readonly label: ComponentChildren;
  readonly hint?: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly onValue: (id: string) => void;
};

/** A choice of one among several. */
export function Select({ label, hint, value, options, onValue }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <select
        id={id}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
    </div>
  );
}

type PasswordProps = Pick<
  FieldProps,
  'label' | 'value' | 'onValue' | 'error' | 'inputRef' | 'hasFocus'
> & {
  readonly isNew?: boolean;
};

/** A password field that can show the password. */
export function PasswordField({ isNew = false, ...props }: PasswordProps) {
  const [isShown, setShown] = useState(false);
  const name = props.label.toLowerCase();
  const act = isShown ? 'Hide' : 'Show';
  return (
    <Field
      {...props}
      {...(isNew && { hint: newPasswordRule })}
      type={isShown ? 'text' : 'password'}
      name={isNew ? 'new-password' : 'password'}
      autocomplete={isNew ? 'new-password' : 'current-password'}
    >
      <button
        type="button"
        class="within"
        aria-label={`${act} ${name}`}
        onClick={() => setShown(!isShown)}
      >
        {act}
      </button>
    </Field>
  );
}

const newPasswordRule = `At least ${passwordLengthMin} characters. Any characters and spaces are allowed; several words are easy to remember and hard to guess.`;

/** The error in a new password, or undefined if it is acceptable. */
export function newPasswordError(password: string): string | undefined {
  if (password === '') return 'Enter a new password.';
  const missing = passwordLengthMin - [...password].length;
  return missing > 0
    ? `The new password is too short: add ${counted(missing, 'more character')}.`
    : undefined;
}

/** An error of the whole form. */
export function FormError({ text }: { text: string | undefined }) {
  // Present before its text, so that screen readers announce the text.
  return <div role="alert">{text !== undefined && <p class="notice bad">{text}</p>}</div>;
}

/** Submits a form, once until it is answered. */
export function SubmitButton({ isBusy, children }: { isBusy: boolean; children: string }) {
  return (
    <button type="submit" class="primary" aria-disabled={isBusy}>
      {isBusy ? 'Please wait …' : children}
    </button>
  );
}

/** The user name, hidden, for password managers. */
export function Username({ email }: { email: string }) {
  return (
    <input type="email" name="username" autocomplete="username" value={email} readOnly hidden />
  );
}
