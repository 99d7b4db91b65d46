/**
 * The addresses to which deliveries may go. A name is resolved once, all of its addresses are
 * checked, and the connection uses one of these: a name that changes in between gains nothing.
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { IPv4, IPv6 } from 'ipaddr.js';
import type { WebhookNetworks } from '../config.ts';

/** Deliveries must not go to this address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const notPublic =
  'the address is not public: the operator of the service allows no deliveries there';

/** The rule that the address of a webhook breaks; undefined if it may be used. */
export function urlFailure(text: string, { allowsHttp }: WebhookNetworks): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'must be an address such as https://example.com/hooks';
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:'))
    return allowsHttp ? 'must begin with https:// or http://' : 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password';
  if (url.hash !== '') return 'must not hold a fragment';
  return undefined;
}

/** Resolves a name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** Each look-up takes a thread of the process, and files and passwords need threads, too. */
const lookupsMax = 8;
const waiting: (() => void)[] = [];
let running = 0;

const resolveAll: Resolve = async (host) => {
  if (running < lookupsMax) running++;
  else await new Promise<void>((begin) => waiting.push(begin));
  try {
    return await lookup(host, { all: true, verbatim: true });
  } finally {
    // Passes its place on to the next one.
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
};

/** Looks up the addresses of a host and refuses any that is not public. */
export type GuardedLookup = (host: string) => Promise<LookupAddress[]>;

/** Makes the look-up of allowed addresses. */
export async function guardLookup(
  { networks }: Pick<WebhookNetworks, 'networks'>,
  resolve: Resolve = resolveAll,
): Promise<GuardedLookup> {
  // Loaded only here, because most installations have no webhook.
  const { default: ipaddr } = await import('ipaddr.js');
  // All other addresses of IPv6 are special or unassigned.
  const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');
  const allowed = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    allowed.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  const isPublic = (address: IPv4 | IPv6) =>
    address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(publicIPv6));
  const isAllowed = (address: IPv4 | IPv6) =>
    isPublic(address) || allowed.check(address.toString(), address.kind());
  return async (host) => {
    const literal = host.replace(/^\[|\]$/g, '');
    const family = isIP(literal);
    const found = family === 0 ? await resolve(host) : [{ address: literal, family }];
    // An IPv4 address in the form of IPv6 reaches the IPv4 address.
    if (found.length === 0 || !found.every(({ address }) => isAllowed(ipaddr.process(address))))
      throw new AddressRefused(notPublic);
    return found;
  };
}

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A look-up in the form that a connection calls; it answers addresses that were already checked.
 */
export function pinned(addresses: readonly LookupAddress[]) {
  return (_host: string, { all }: LookupOptions, callback: Callback): void => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first!.address, first!.family);
  };
}
