/** Texts that every store returns unchanged: no store holds half a character, PostgreSQL no NUL. */

/**
 * Whether every store returns all texts in a value unchanged. Not recursive, because a body may be
 * nested more deeply than the stack allows.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isStorableText(value);
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'object' && one !== null)
      for (const part of Object.values(one)) left.push(part);
    else if (!isStorableText(one)) return false;
  }
  return true;
}

function isStorableText(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}
