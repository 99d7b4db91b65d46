/** Texts of others, such as names of stores, as assistants may read them. */
import { isObject } from '../contract/jsonSchema.ts';

// Models read these, people do not see them: controls, signs of direction, joiners, tags, variation
// selectors, private characters and blanks of another kind.
const invisible = /[\p{DI}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800]/gu;

/** A text without invisible characters and those that change its direction. */
export function visibleText(text: string): string {
  return text.replaceAll(invisible, (character) => (/[\n\t]/.test(character) ? ' ' : ''));
}

/** A name by others within a sentence, in quotes that show where it ends. */
export function quoted(name: string): string {
  return JSON.stringify(visibleText(name));
}

/** A value whose texts are all visible. */
export function visibleTexts<Value>(value: Value): Value {
  return shown(value) as Value;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(shown);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [visibleText(name), shown(one)]);
  return Object.fromEntries(entries);
}
