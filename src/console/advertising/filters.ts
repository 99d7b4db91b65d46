/** The filters of the rows, as the address has them. */
import type { Change } from '../view/address.ts';
import { type AdRow, type AdType, adTypes, type Part, ratiosOf } from './parts.ts';

/** A range of figures, both ends included; undefined is open. */
export type Bounds = { readonly low: number | undefined; readonly high: number | undefined };
const open: Bounds = { low: undefined, high: undefined };

/** The filters of the rows. */
export type Filters = {
  readonly campaigns: readonly string[];
  readonly adGroups: readonly string[];
  readonly types: readonly AdType[];
  readonly statuses: readonly string[];
  readonly spend: Bounds;
  /** Spend without ad sales lies above every ACOS. */
  readonly acos: Bounds;
  readonly text: string;
};

/** The statuses that a row may have. */
export const statuses = ['active', 'paused', 'archived'] as const;
/** The most campaigns or ad groups that the lists take. */
const numbersMax = 10;

/** Reads the filters of an address. */
export function filtersOf(params: URLSearchParams): Filters {
  const numbers = (name: string) =>
    params
      .getAll(name)
      .filter((text) => /^[0-9]{1,30}$/.test(text))
      .slice(0, numbersMax);
  return {
    campaigns: numbers('campaign'),
    adGroups: numbers('ad-group'),
    types: adTypes.map(({ id }) => id).filter((id) => params.getAll('type').includes(id)),
    statuses: statuses.filter((status) => params.getAll('status').includes(status)),
    spend: boundsOf(params.get('spend')),
    acos: boundsOf(params.get('acos')),
    text: params.get('q') ?? '',
  };
}

function boundsOf(text: string | null): Bounds {
  const found = /^(\d+(?:\.\d+)?)?\.\.(\d+(?:\.\d+)?)?$/.exec(text ?? '');
  if (found === null) return open;
  const numberOf = (one: string | undefined) => (one === undefined ? undefined : Number(one));
  return { low: numberOf(found[1]), high: numberOf(found[2]) };
}

/** Bounds as the address has them; "" when both are open. */
export const inAddress = ({ low, high }: Bounds): string =>
  low === undefined && high === undefined ? '' : `${low ?? ''}..${high ?? ''}`;

/** Whether any bound is set. */
export const isSet = (bounds: Bounds): boolean => inAddress(bounds) !== '';

const isWithin = (value: number, { low, high }: Bounds) =>
  (low === undefined || value >= low) && (high === undefined || value <= high);

/** Whether a row passes. Products belong to no campaign, so its filter leaves them alone. */
export function passes(row: AdRow, filters: Filters, part: Part): boolean {
  const { campaigns, adGroups, types, statuses: wanted, spend, acos, text } = filters;
  const isOf = (ids: readonly string[], id: string | undefined) =>
    ids.length === 0 || id === undefined || ids.includes(id);
  if (part !== 'products') {
    if (!isOf(campaigns, row.campaignId) || !isOf(adGroups, row.adGroupId)) return false;
    if (types.length > 0 && !types.includes(row.adType!)) return false;
    if (wanted.length > 0 && !wanted.includes(row.status!)) return false;
  }
  if (isSet(spend) && !isWithin(row.sums.spend, spend)) return false;
  if (isSet(acos)) {
    if (row.sums.spend === 0 && row.sums.sales === 0) return false;
    if (!isWithin(ratiosOf(row.sums).acos ?? Number.POSITIVE_INFINITY, acos)) return false;
  }
  const words = `${row.name} ${row.under ?? ''}`.toLowerCase();
  return words.includes(text.trim().toLowerCase());
}

/** The change of the address that removes all filters. */
export const noFilters: Change = {
  campaign: undefined,
  'ad-group': undefined,
  type: undefined,
  status: undefined,
  spend: undefined,
  acos: undefined,
  q: undefined,
  page: undefined,
};
