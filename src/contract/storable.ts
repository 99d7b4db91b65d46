/** Which texts every store keeps as they are: none keeps half a character, PostgreSQL no NUL. */

/**
 * Whether every store keeps all texts in a value as they are. Not recursive, because a body may be
 * nested deeper than the stack is.
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
