import { readFileSync } from 'node:fs';

/** The answers of the demonstration to the examples of the contracts, by operation. */
export function readExampleAnswers(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL('./exampleAnswers.json', import.meta.url), 'utf8'));
}
