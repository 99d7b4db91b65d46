/** Small marks in tables: shares, meters, badges. */
import { countryAlpha2 } from '../../contract/countries.ts';
import { marketplaceOf, type Store } from '../view/stores.tsx';
import { Icon, type IconName } from './icons.tsx';

/** A bar of a share; 1 is the whole width. */
export function Share({ part }: { readonly part: number }) {
  return (
    <svg class="share" viewBox="0 0 48 6" aria-hidden="true">
      <rect class="track" width="48" height="6" rx="2" />
      <rect class="bar" width={Math.max(0, Math.min(1, part)) * 48} height="6" rx="2" />
    </svg>
  );
}

/** A bar against a target at five sixths of its width; 1 is the target. */
export function Meter({ part }: { readonly part: number }) {
  const target = 40;
  return (
    <svg class="meter" viewBox="0 0 48 12" aria-hidden="true">
      <rect class="track" y="3" width="48" height="6" rx="2" />
      <rect class="bar" y="3" width={Math.max(0, Math.min(1.2, part)) * target} height="6" rx="2" />
      <rect class="goal" x={target - 1} width="2" height="12" />
    </svg>
  );
}

/** How well something does. */
export type Health = 'good' | 'warning' | 'critical';
const healths: Record<
  Health,
  { readonly icon: IconName; readonly tone: string; readonly name: string }
> = {
  good: { icon: 'check', tone: 'good', name: 'Good' },
  warning: { icon: 'warning', tone: 'warn', name: 'Watch' },
  critical: { icon: 'alert', tone: 'bad', name: 'Critical' },
};

/** The health of a store in a word. */
export function HealthBadge({ health }: { readonly health: Health }) {
  const { icon, tone, name } = healths[health];
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} />
      {name}
    </span>
  );
}

/** The country, name and marketplace of a store, as a link. */
export function StoreName({ store, href }: { readonly store: Store; readonly href: string }) {
  return (
    <a class="name" href={href}>
      <span class="country">{countryAlpha2(store.countryCode)}</span>
      <span>
        {store.shortName}
        <small>{marketplaceOf(store)}</small>
      </span>
    </a>
  );
}
