/** Addresses that documents state. */

/** An address that a page may link to, which begins with http:// or https://; "" for any other. */
export function webAddress(text: string): string {
  return /^https?:\/\//i.test(text) ? text : '';
}

/** The same of an SQL expression. */
export function webAddressSql(text: string): string {
  const isOne = ['http', 'https'].map((scheme) => `lower(${text}) LIKE '${scheme}://%'`);
  return `CASE WHEN ${isOne.join(' OR ')} THEN ${text} ELSE '' END`;
}
