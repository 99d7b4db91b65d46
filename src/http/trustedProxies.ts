/** Addresses of proxies that are trusted to name a client's address. */

// Present in every process that serves; an import would load everything that it exports.
const { BlockList, isIPv6 } = process.getBuiltinModule('node:net');

/** Whether an address is that of a trusted proxy. */
export type IsTrusted = (address: string) => boolean;

/** Reads addresses and ranges of them, such as 10.0.0.7 and 192.168.0.0/16. */
export function trustedBy(proxies: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => proxies.length > 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
