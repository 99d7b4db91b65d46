/** What every form does: it is checked, sent once, and its answer is said. */
import { useRef, useState } from 'preact/hooks';
import type { Refused } from './client.ts';

/** The errors of a form by its fields; those of the whole form are under `form`. */
type Errors<Field extends string> = Readonly<Partial<Record<Field | 'form', string | undefined>>>;

type Form<Field extends string> = {
  /** What is wrong before it is sent. */
  readonly check: () => Partial<Record<Field, string | undefined>>;
  readonly send: () => Promise<void>;
  /** Where errors of the server belong, by their status; to the whole form where it says nothing. */
  readonly fieldOf?: (refused: Refused) => Field | undefined;
};

/** Keeps the state of a form; `refOf` ties its fields, so that the first one that is wrong gets the focus. */
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

  function tell(found: Errors<Field>): boolean {
    const said = Object.entries(found).filter(([, text]) => text !== undefined);
    setErrors(found);
    const first = said.find(([field]) => inputs.current.has(field));
    if (first !== undefined) inputs.current.get(first[0])?.focus();
    return said.length > 0;
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy || tell(check() as Errors<Field>)) return;
    setBusy(true);
    try {
      await send();
    } catch (error) {
      const refused = error as Refused;
      tell({ [fieldOf?.(refused) ?? 'form']: refused.message } as Errors<Field>);
    } finally {
      setBusy(false);
    }
  }
  return { errors, isBusy, refOf, submit };
}
