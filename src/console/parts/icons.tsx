/** Icons, drawn on a grid of 16 by lines of 1.5. */
import type { ComponentChildren } from 'preact';

const circle = <circle cx="8" cy="8" r="5.5" />;
const lens = (
  <>
    <circle cx="7" cy="7" r="4.2" />
    <path d="m10.2 10.2 3.3 3.3" />
  </>
);
const line = (d: string) => <path d={d} />;

const drawings = {
  menu: line('M2.5 4.5h11M2.5 8h11M2.5 11.5h11'),
  warning: line('M8 2.7 14 13H2zM8 6.7v3M8 11.3v.1'),
  alert: (
    <>
      {circle}
      <path d="M8 5.2v3.3M8 10.7v.1" />
    </>
  ),
  search: lens,
  overview: line('M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z'),
  store: line(
    'M2.5 6.5 3.5 2.5h9l1 4a1.9 1.9 0 0 1-3.7 0 1.9 1.9 0 0 1-3.6 0 1.9 1.9 0 0 1-3.7 0M3.5 8.3v5.2h9V8.3',
  ),
  profit: line('M2.5 13.5v-10h3v10M6.5 9.5v-4h3v4M10.5 13.5V9h3v4.5M2 13.5h12'),
  advertising: line('M2.5 6.5v3l2 .3 7 3.2V3l-7 3.2zM5 10v3h2v-2.3M13.5 6.5v3'),
  target: (
    <>
      {circle}
      <circle cx="8" cy="8" r="2.2" />
    </>
  ),
  inventory: line('M2.5 5 8 2.5 13.5 5v6L8 13.5 2.5 11zM2.5 5 8 7.7 13.5 5M8 7.7v5.8'),
  report: line('M4 2.5h5l3 3v8H4zM9 2.5v3h3M6 8.5h4M6 11h4'),
  key: (
    <>
      <circle cx="5.5" cy="10.5" r="2.7" />
      <path d="m7.5 8.5 5-5M10.5 5.5l2 2" />
    </>
  ),
  guide: line(
    'M8 4.2C6.5 3 4.5 2.8 2.5 3v9.5c2-.2 4 0 5.5 1.2 1.5-1.2 3.5-1.4 5.5-1.200V3c-2-.2-4 0-5.5 1.200zM8 4.200v9.5',
  ),
  code: line('m5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5 14 8l-3.5 3.5'),
  theme: line('M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11'),
  settings: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 2v2M8 12v2M2 8h2M12 8h2M3.8 3.8l1.4 1.4M10.8 10.8l1.4 1.4M12.2 3.8l-1.4 1.4M5.2 10.8l-1.4 1.4" />
    </>
  ),
  calendar: line('M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5'),
  down: line('m5 6.5 3 3 3-3'),
  back: line('m9.5 5-3 3 3 3'),
  forward: line('m6.5 5 3 3-3 3'),
  link: line(
    'M6.7 9.3a2.5 2.5 0 0 0 3.6 0l2.2-2.2a2.5 2.5 0 0 0-3.6-3.6l-.8.8M9.3 6.7a2.5 2.5 0 0 0-3.6 0L3.5 8.9a2.5 2.5 0 0 0 3.6 3.6l.8-.8',
  ),
  tag: line('M2.5 2.5H8L13.5 8 8 13.5 2.5 8zM5.3 5.3h.1'),
  table: line('M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.5 6.3V13'),
  download: line('M8 2.5V10M4.8 7 8 10.2 11.2 7M3 13h10'),
  terminal: line('M2.5 3h11v10h-11zM5 6.3l2 1.9-2 1.9M8.5 10.3H11'),
  columns: line('M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10'),
  check: line('m3.5 8.5 3 3 6-7'),
  copy: line('M5.5 5.5h7.5v8H5.5zM3 10.5v-8h7.5'),
  eye: (
    <>
      <path d="M1.8 8S4 4 8 4s6.2 4 6.2 4-2.2 4-6.2 4-6.2-4-6.2-4z" />
      <circle cx="8" cy="8" r="1.8" />
    </>
  ),
  refresh: line('M13 8a5 5 0 1 1-1.5-3.5L13 6M13 2.5V6H9.5'),
  plus: line('M8 3.5v9M3.5 8h9'),
  close: line('m4.5 4.5 7 7M11.5 4.5l-7 7'),
  clock: (
    <>
      {circle}
      <path d="M8 5v3l2 1.5" />
    </>
  ),
  chart: line('M2.5 12.5 6 8.5l2.5 2L13.5 4.5'),
  operator: line('M2.5 5h11M2.5 11h11M6 3.5v3M10 9.5v3'),
  signOut: line('M9.5 2.5h-6v11h6M6.5 8h7M11 5.5 13.5 8 11 10.5'),
} satisfies Record<string, ComponentChildren>;

/** The name of an icon. */
export type IconName = keyof typeof drawings;

/** An icon; it says nothing to screen readers, so the text next to it must. */
export function Icon({ name, tone }: { readonly name: IconName; readonly tone?: string }) {
  return (
    <svg
      class={tone === undefined ? 'icon' : `icon ${tone}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  );
}
