/** The bounds of a key: grants, networks and channels, its own and those of its origin. */
import ipaddr from 'ipaddr.js';
import type { ExpressionBuilder } from 'kysely';
import { allows, buyersGrant, type Granted } from '../contract/grants.ts';
import type { ApiKeyRecord, Records } from '../engine/registry.ts';

/** The bounds of a key. Of several lists, each must allow what the key does. */
export type KeyRights = {
  /** Lists of grants; none for a key that may do everything. */
  readonly grants: readonly (readonly string[])[];
  /** Lists of networks; none for a key that may be used from everywhere. */
  readonly addresses: readonly (readonly string[])[];
  /** Whether the key may access only some channels. */
  readonly hasChannels: boolean;
  /** Whether anything bounds the key beside its user. */
  readonly isSmall: boolean;
};

/** The rights of the console, which only the user bounds. */
export const unbounded: KeyRights = {
  grants: [],
  addresses: [],
  hasChannels: false,
  isSmall: false,
};

/** The columns of a key that nothing bounds. */
export const unboundedColumns = {
  grants: null,
  addresses: null,
  restricted: 0,
  madeFrom: null,
} as const;

type Bounds = Pick<ApiKeyRecord, 'grants' | 'addresses' | 'madeFrom'> & {
  readonly keyRestricted: ApiKeyRecord['restricted'];
  readonly originGrants: string | null;
  readonly originAddresses: string | null;
  readonly originRestricted: ApiKeyRecord['restricted'] | null;
};

/** The columns of a key, and of its origin, that `rightsOf` reads. */
export const boundColumns = [
  'apiKey.grants',
  'apiKey.addresses',
  'apiKey.restricted as keyRestricted',
  'apiKey.madeFrom',
  'origin.grants as originGrants',
  'origin.addresses as originAddresses',
  'origin.restricted as originRestricted',
] as const;

/** The rights of a key, by its record and that of its origin. */
export function rightsOf(bounds: Bounds): KeyRights {
  const lists = (...texts: (string | null)[]) =>
    texts.filter((text) => text !== null).map((text): readonly string[] => JSON.parse(text));
  const grants = lists(bounds.grants, bounds.originGrants);
  const addresses = lists(bounds.addresses, bounds.originAddresses);
  const hasChannels = bounds.keyRestricted === 1 || bounds.originRestricted === 1;
  const isSmall = hasChannels || grants.length + addresses.length > 0 || bounds.madeFrom !== null;
  return { grants, addresses, hasChannels, isSmall };
}

/** Whether a key may call an operation. */
export function mayCall({ grants }: Pick<KeyRights, 'grants'>, operation: Granted): boolean {
  return grants.every((list) => allows(list, operation));
}

/** Whether the grants of a key hold the addresses of buyers; one without grants holds all. */
export function holdsBuyers({ grants }: Pick<KeyRights, 'grants'>): boolean {
  return grants.every((list) => list.includes(buyersGrant));
}

/** Whether a key may be used from an address. */
export function mayComeFrom({ addresses }: Pick<KeyRights, 'addresses'>, address: string): boolean {
  if (addresses.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return addresses.every((list) => list.some((network) => isWithin(from, network)));
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return address.kind() === base.kind() && address.match([base, bits]);
}

/** The network that a text names, as it is stored; undefined for a text that names none. */
export function networkOf(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(address) || /^[\da-f:]+$/i.test(address);
  if (!isPlain || !ipaddr.isValid(address) || rest.length > 0) return undefined;
  const parsed = ipaddr.parse(address);
  const longest = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= longest)) return undefined;
  return `${parsed.toString()}/${Number(bits ?? longest)}`;
}

/** The condition that a key, and its origin, may access a channel of a query. */
export function withinChannelsOf(keyId: string) {
  return ({ not, exists, selectFrom }: ExpressionBuilder<Records, 'channel'>) =>
    not(
      exists(
        selectFrom('apiKey as bounding')
          .select('bounding.keyId')
          .where('bounding.restricted', '=', 1)
          .where(({ or, eb, selectFrom }) => {
            const origin = selectFrom('apiKey')
              .select('apiKey.madeFrom')
              .where('apiKey.keyId', '=', keyId);
            return or([eb('bounding.keyId', '=', keyId), eb('bounding.keyId', '=', origin)]);
          })
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('keyChannel')
                  .select('keyChannel.keyId')
                  .whereRef('keyChannel.keyId', '=', 'bounding.keyId')
                  .whereRef('keyChannel.channelNumber', '=', 'channel.channelNumber'),
              ),
            ),
          ),
      ),
    );
}
