/**
 * The pages of the console, in the order of the lists: the router, the sidebar, the box that finds
 * places, the tabs of the settings and the service read this one table.
 */
import type { ComponentType } from 'preact';
import { isManager, type Role } from '../contract/roles.ts';
import type { IconName } from './parts/icons.tsx';

/** A page, or a document that lists name beside pages. */
export type PageEntry = {
  readonly name: string;
  readonly icon: IconName;
  /** Its address; parts that begin with a colon stand for many. */
  readonly path: string;
  /** The end of addresses below it that show the same page. */
  readonly below?: string;
  /** The letter after G that opens it. */
  readonly letter?: string;
  /** Who finds it: all users by default, only their managers, or also those without a session. */
  readonly who?: 'managers' | 'anybody';
  /** Loads the page; a document has no module. */
  readonly load?: () => Promise<ComponentType>;
};

/** The views of figures. */
export const views: readonly PageEntry[] = [
  {
    name: 'Overview',
    icon: 'overview',
    path: '/console/overview',
    letter: 'o',
    load: async () => (await import('./overview/overview.tsx')).Overview,
  },
  {
    name: 'Stores',
    icon: 'store',
    path: '/console/stores',
    letter: 's',
    load: async () => (await import('./stores/stores.tsx')).Stores,
  },
  {
    name: 'Profit',
    icon: 'profit',
    path: '/console/profit',
    letter: 'p',
    load: async () => (await import('./profit/profit.tsx')).Profit,
  },
  {
    name: 'Advertising',
    icon: 'advertising',
    path: '/console/advertising',
    letter: 'a',
    below: '/:part',
    load: async () => (await import('./advertising/advertising.tsx')).Advertising,
  },
  {
    name: 'Targets',
    icon: 'target',
    path: '/console/targets',
    letter: 't',
    load: async () => (await import('./targets/targets.tsx')).Targets,
  },
  {
    name: 'Search terms',
    icon: 'search',
    path: '/console/search',
    load: async () => (await import('./search/search.tsx')).Search,
  },
  {
    name: 'Inventory',
    icon: 'inventory',
    path: '/console/inventory',
    load: async () => (await import('./inventory/inventory.tsx')).Inventory,
  },
  {
    name: 'Reports',
    icon: 'report',
    path: '/console/reports',
    letter: 'r',
    load: async () => (await import('./reports/reports.tsx')).Reports,
  },
];

const api: PageEntry = {
  name: 'API',
  icon: 'key',
  path: '/console/settings/api',
  load: async () => (await import('./settings/api.tsx')).ApiSettings,
};

/** The pages for developers. */
export const developerPages: readonly PageEntry[] = [
  api,
  { name: 'Guides', icon: 'guide', path: '/guides' },
  { name: 'Reference', icon: 'code', path: '/reference' },
];

/** The pages of the settings. */
export const settingsPages: readonly PageEntry[] = [
  api,
  {
    name: 'Profile',
    icon: 'settings',
    path: '/console/settings/profile',
    load: async () => (await import('./settings/profile.tsx')).ProfileSettings,
  },
  {
    name: 'Schedules',
    icon: 'settings',
    path: '/console/settings/schedules',
    who: 'managers',
    load: async () => (await import('./settings/schedules.tsx')).ScheduleSettings,
  },
  {
    name: 'Webhooks',
    icon: 'settings',
    path: '/console/settings/webhooks',
    who: 'managers',
    load: async () => (await import('./settings/webhooks.tsx')).WebhookSettings,
  },
  {
    name: 'Security',
    icon: 'settings',
    path: '/console/settings/security',
    load: async () => (await import('./settings/security.tsx')).SecuritySettings,
  },
  {
    name: 'Members',
    icon: 'settings',
    path: '/console/settings/members',
    who: 'managers',
    load: async () => (await import('./settings/members.tsx')).MembersSettings,
  },
];

/** The pages that no list names. */
const others: readonly PageEntry[] = [
  {
    name: 'Store',
    icon: 'store',
    path: '/console/stores/:channelId/:part',
    load: async () => (await import('./stores/store.tsx')).StorePage,
  },
  {
    name: 'Operator',
    icon: 'operator',
    path: '/console/operator',
    who: 'anybody',
    load: async () => (await import('./operator/operator.tsx')).OperatorConsole,
  },
  {
    name: 'Sign in',
    icon: 'key',
    path: '/console/sign-in',
    who: 'anybody',
    load: async () => (await import('./signIn.tsx')).SignIn,
  },
  {
    name: 'Choose a password',
    icon: 'key',
    path: '/console/password',
    who: 'anybody',
    load: async () => (await import('./setPassword.tsx')).SetPassword,
  },
];

/** All pages, each once. */
export const pages: readonly PageEntry[] = [
  ...new Set([...views, ...developerPages, ...settingsPages, ...others]),
];

/** All addresses of a page. */
export const pathsOf = ({ path, below }: PageEntry): string[] =>
  below === undefined ? [path] : [path, path + below];

/** Whether a user of a role finds a page in the lists. */
export const isFoundBy = ({ who }: PageEntry, role: Role | undefined): boolean =>
  who !== 'managers' || isManager(role);
