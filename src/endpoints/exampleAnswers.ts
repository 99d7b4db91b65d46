import { readFileSync } from 'node:fs';

/** What the demonstration answers to the examples of the contracts, by operation. */
export function readExampleAnswers(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL('./exampleAnswers.json', import.meta.url), 'utf8'));
}
