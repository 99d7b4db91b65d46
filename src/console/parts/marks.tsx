/** Small marks in tables: lines, shares, meters, badges. */
import { countryAlpha2 } from '../../contract/countries.ts';
import { marketplaceOf, type Store } from '../view/stores.tsx';
import { Icon, type IconName } from './icons.tsx';

const sparkWidth = 88;
const sparkHeight = 24;

/** A small line of figures on its own scale; missing ones break it. */
export function Sparkline({ values }: { readonly values: readonly (number | undefined)[] }) {
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (place: number) => (place / (values.length - 1)) * (sparkWidth - 4) + 2;
  const y = (value: number) =>
    high === low
      ? sparkHeight / 2
      : sparkHeight - 2 - ((value - low) / (high - low)) * (sparkHeight - 4);
  let path = '';
  let isDown = false;
  values.forEach((value, place) => {
    if (value !== undefined)
      path += `${isDown ? 'L' : 'M'}${x(place).toFixed(1)} ${y(value).toFixed(1)}`;
    isDown = value !== undefined;
  });
  const last = values.findLastIndex((value) => value !== undefined);
  return (
    <svg class="spark" viewBox={`0 0 ${sparkWidth} ${sparkHeight}`} aria-hidden="true">
      <path class="line" d={path} />
      <circle class="end" cx={x(last)} cy={y(values[last]!)} r="1.8" />
    </svg>
  );
}

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
