// Written by `npm run documents` from src/console/pages.ts: do not edit.

/** Addresses of the console; one document serves them all, and its script shows the page. */
export const consolePaths = [
  '/console',
  '/console/',
  '/console/overview',
  '/console/stores',
  '/console/profit',
  '/console/advertising',
  '/console/advertising/:part',
  '/console/targets',
  '/console/search',
  '/console/inventory',
  '/console/reports',
  '/console/settings/api',
  '/console/settings/profile',
  '/console/settings/schedules',
  '/console/settings/webhooks',
  '/console/settings/security',
  '/console/settings/members',
  '/console/stores/:channelId/:part',
  '/console/operator',
  '/console/sign-in',
  '/console/password',
];
