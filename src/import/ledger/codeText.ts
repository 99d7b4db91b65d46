/** The text that facts store for the three names of an amount. */

/** The three names as one text, without repetitions. */
export function codeTextOf(...names: [type: string, component: string, code: string]): string {
  return [...new Set(names.filter((name) => name !== ''))]
    .join('/')
    .slice(0, 200)
    .toWellFormed()
    .replaceAll('\u0000', '\ufffd');
}
