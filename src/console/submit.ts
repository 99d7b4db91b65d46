/** The state of a form: validation, submission and errors. */

import { useRef, useState } from 'preact/hooks';
import type { Refused } from './refused.ts';

/** The errors of a form by field; `form` is for the whole form. */
type Errors<Field extends string> = Readonly<Partial<Record<Field | 'form', string | undefined>>>;

type Form<Field extends string> = {
  /** Finds errors before submission. */
  readonly check: () => Partial<Record<Field, string | undefined>>;
  readonly send: () => Promise<void>;
  /** The field that an error of the server belongs to; the whole form by default. */
  readonly fieldOf?: (refused: Refused) => Field | undefined;
};

/** Keeps the state of a form; `refOf` registers its fields, so that the first error gets the focus. */
export function useForm<Field extends string>({ check, send, fieldOf }: Form<Field>) {
  const [errors, setErrors] = useState({} as Errors<Field>);
  const [isBusy, setBusy] = useState(false);
  const inputs = useRef(new Map<string, HTMLInputElement>());
  const refs = useRef(new Map<Field, (input: HTMLInputElement | null) => void>());

  function refOf(field: Field) {
    const known = refs.current.get(field);
    if (known !== undefined) return known;
    const made = (input: HTMLInputElement | null) => {
      if (input === null) inputs.current.delete(field);
      else inputs.current.set(field, input);
    };
    refs.current.set(field, made);
    return made;
  }

  function showErrors(found: Errors<Field>): boolean {
    const errorsFound = Object.entries(found).filter(([, text]) => text !== undefined);
    setErrors(found);
    const first = errorsFound.find(([field]) => inputs.current.has(field));
    if (first !== undefined) inputs.current.get(first[0])?.focus();
    return errorsFound.length > 0;
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy || showErrors(check() as Errors<Field>)) return;
    setBusy(true);
    try {
      await send();
    } catch (error) {
      const refused = error as Refused;
      showErrors({ [fieldOf?.(refused) ?? 'form']: refused.message } as Errors<Field>);
    } finally {
      setBusy(false);
    }
  }
  return { errors, isBusy, refOf, submit };
}
