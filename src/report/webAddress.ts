/** Addresses that documents state. */

/** An address that a page may link to, which begins with http: or https:; "" for any other. */
export function webAddress(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:' ? text : '';
}
