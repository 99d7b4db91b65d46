/** Reads web addresses from documents. */

/** The address if a page may link to it because it begins with http:// or https://; else "". */
export function webAddress(text: string): string {
  return /^https?:\/\//i.test(text) ? text : '';
}

/** The same check as an SQL expression. */
export function webAddressSql(text: string): string {
  const isOne = ['http', 'https'].map((scheme) => `lower(${text}) LIKE '${scheme}://%'`);
  return `CASE WHEN ${isOne.join(' OR ')} THEN ${text} ELSE '' END`;
}
