/** The settings of how users sign in. */
import type { SettingSource } from './source.ts';

/** Reads whether every user must have a second factor. */
export function readSecondFactor(source: SettingSource): boolean {
  const text = source.text('VITRINE_SECOND_FACTOR') ?? 'optional';
  if (text !== 'optional' && text !== 'required')
    source.problems.push('VITRINE_SECOND_FACTOR must be optional or required');
  return text === 'required';
}

/** Reads the address of the range service of breached passwords, with a slash at its end. */
export function readBreachedPasswords(source: SettingSource): string | undefined {
  const example = 'https://api.pwnedpasswords.com/range/';
  const address = source.url('VITRINE_BREACHED_PASSWORDS', ['http:', 'https:'], example);
  return address === undefined || address.endsWith('/') ? address : `${address}/`;
}
