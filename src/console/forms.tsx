/** Fields with their labels, hints and errors; each error is tied to its field. */
import type { ComponentChildren, Ref } from 'preact';
import { useId, useState } from 'preact/hooks';
import { passwordLengthMin } from './client.ts';

type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly type: 'email' | 'password' | 'text';
  readonly name: string;
  readonly autocomplete: 'username' | 'current-password' | 'new-password';
  /** Stands within the frame of the field. */
  readonly children?: ComponentChildren;
};

/** A text that is entered. */
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
  children,
}: FieldProps) {
  const id = useId();
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
          required
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

type PasswordProps = Pick<FieldProps, 'label' | 'value' | 'onValue' | 'error' | 'inputRef'> & {
  readonly isNew?: boolean;
};

/** A password that is entered, which can be looked at. */
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

const newPasswordRule = `At least ${passwordLengthMin} characters. All characters and spaces may be used; several words are easier to remember and harder to guess.`;

/** What is wrong with a password that is to be set. */
export function newPasswordError(password: string): string | undefined {
  if (password === '') return 'Enter a new password.';
  const missing = passwordLengthMin - [...password].length;
  return missing > 0
    ? `The new password is too short: ${missing} more ${missing === 1 ? 'character is' : 'characters are'} needed.`
    : undefined;
}

/** What the whole of a form was answered with. */
export function FormError({ text }: { text: string | undefined }) {
  // It is there before its text is, so that the text is read out.
  return <div role="alert">{text !== undefined && <p class="notice bad">{text}</p>}</div>;
}

/** Sends a form; it cannot be sent again before the answer. */
export function SubmitButton({ isBusy, children }: { isBusy: boolean; children: string }) {
  return (
    <button type="submit" class="primary" aria-disabled={isBusy}>
      {isBusy ? 'One moment …' : children}
    </button>
  );
}

/** For those who keep passwords: whose password it is. */
export function Username({ email }: { email: string }) {
  return (
    <input type="email" name="username" autocomplete="username" value={email} readOnly hidden />
  );
}
