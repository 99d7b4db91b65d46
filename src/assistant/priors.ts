/** Comparison periods: assistants get them only when they ask for them. */
import { isObject, type JsonSchema } from '../contract/jsonSchema.ts';

type Fields = Readonly<Record<string, unknown>>;

const prior = /^prior(?:[A-Z]|$)/;

/** Whether a field holds or names figures of a comparison period. */
export function isOfPrior(name: string): boolean {
  return prior.test(name);
}

/** Whether fields name a comparison period. */
export function namesPrior(given: Fields): boolean {
  return Object.entries(given).some(
    ([name, value]) => isOfPrior(name) || (isObject(value) && namesPrior(value)),
  );
}

/** An answer without the figures of the comparison period. */
export function withoutPriors(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutPriors);
  if (!isObject(answer)) return answer;
  return Object.fromEntries(
    Object.entries(answer)
      .filter(([name]) => !isOfPrior(name))
      .map(([name, value]) => [name, withoutPriors(value)]),
  );
}

/** Fields with the period itself in place of a comparison period that the operation requires. */
export function withRequiredPriors({ required = [] }: JsonSchema, given: Fields): Fields {
  const added = required.filter(isOfPrior).map((name) => {
    const own = name.replace(/^priorF/, 'f').replace(/^priorT/, 't');
    return [name, given[own]] as const;
  });
  return { ...Object.fromEntries(added.filter(([, value]) => value !== undefined)), ...given };
}
