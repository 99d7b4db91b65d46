/** The introductions of the public and the operator interface, with their groups and errors. */
import type { Contract } from './endpoint.ts';
import type { Introduction } from './openapi.ts';

/** The description of the public interface. */
export const publicIntroduction: Introduction = {
  title: 'Vitrine',
  description:
    'Sales, advertising, profit and loss, orders, targets and searches of all connected ' +
    'stores, over HTTP and JSON.\n\n' +
    '- **Keys.** Every request carries an API key in the header `x-api-key` and sees the ' +
    'channels that the user of the key may use. Owners and administrators find their key ' +
    'on the page API of the console.\n' +
    '- **Channels.** A channel is one store on one marketplace. `channelId` and `merchantId` ' +
    'identify it together, as `POST /channels` lists them.\n' +
    '- **Dates.** Dates are Unix epoch times in whole seconds, both ends inclusive, unless ' +
    'stated otherwise. `timezone` defines the days that they belong to.\n' +
    '- **Numbers.** Sums are exact and rounded once. `"-"` stands for a ratio without a ' +
    'denominator, and for a comparison without facts.\n' +
    '- **Errors.** Errors have one shape, `{"status": "error", "error": "..."}`, and list all ' +
    'failing rules at once, separated by `, `, which no rule contains.\n' +
    '- **Unknown fields** are ignored, and the header `Vitrine-Ignored` names them; with `Prefer: ' +
    'handling=strict` they are refused. `null` for an optional field is the same as no value.\n\n' +
    'The examples come from the demonstration. The guides explain more: [the first ' +
    'request](/guides/first-request), [periods and zones](/guides/periods), ' +
    '[currencies](/guides/currencies), [errors, retries and ' +
    'limits](/guides/errors-and-limits).',
  rooms: [
    {
      name: 'Channels and tags',
      description: 'Connected stores, tags to find them by, and the sources of their figures.',
      paths: ['/channels', '/tags', '/lineage'],
    },
    {
      name: 'Custom groups',
      description: 'Groups of products or brands of a channel.',
      paths: ['/customGroups'],
    },
    {
      name: 'Report views',
      description: 'Metrics of a period, by bucket or by channel, with a comparison.',
      paths: ['/reports/view'],
    },
    {
      name: 'CSV reports',
      description:
        'Large reports: requested, computed in the background, and available for download for 30 days.',
      paths: ['/reports'],
    },
    {
      name: 'Orders',
      description: 'Single orders with their items. Requires the enterprise plan.',
      paths: ['/orders'],
    },
    {
      name: 'Profitability',
      description: 'Profit and loss of stores and products, and unit costs.',
      paths: ['/profitability'],
    },
    {
      name: 'Advertising',
      description:
        'Campaigns, ad groups and advertised products of up to five channels, in one currency.',
      paths: ['/advertising'],
    },
    {
      name: 'Targets',
      description: 'Budgets and forecasts.',
      paths: ['/targets'],
    },
    {
      name: 'Search Query Performance',
      description: 'Results of searches on the primary marketplace. Requires the entitlement.',
      paths: ['/search-query-performance'],
    },
    {
      name: 'Webhooks',
      description:
        'Addresses that hear of finished reports, imports, overdue data and targets at risk.',
      paths: ['/webhooks'],
    },
    {
      name: 'Schedules',
      description: 'Reports and views that are run at certain times, and their files.',
      paths: ['/schedules'],
    },
  ],
  security: {
    name: 'apiKey',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'The key shown on the page API of the console.',
    },
  },
  errors: (contract) => ({
    400: 'Parameters are missing or invalid; the message lists every failing rule, separated by commas. Of a list with more failing entries it lists 20 and says that the list has more.',
    401: `The key is valid but may not use this operation, for example because its grants hold no \`${contract.needs}\`.`,
    403:
      contract.needs === 'searchQueryPerformance:read'
        ? 'The key is missing or invalid, or the organisation has no Search Query Performance entitlement.'
        : 'The key is missing or invalid.',
    404: 'The record does not exist.',
    ...conflictErrors(contract),
    ...(contract.body && {
      408: 'The body did not arrive in time.',
      413: 'The body is larger than 1 MiB.',
      415: 'The body is not sent as application/json.',
    }),
    429: 'The key exceeded a rate limit or has too many unfinished requests, or its address sent too many wrong keys; Retry-After says when to try again.',
    500: 'The service failed.',
    503: 'The service cannot answer at the moment or not in time.',
  }),
};

/** The description of the operator's interface. */
export const operatorIntroduction: Introduction = {
  title: 'Vitrine operator interface',
  description:
    'The operator of an installation manages organisations, users, keys and channels, and imports ' +
    'their data. Unknown fields are refused.',
  rooms: [
    {
      name: 'Organisations and users',
      description:
        'Customers, with their plans and entitlements, and the people who work for them.',
      paths: ['/operator/organisations', '/operator/users'],
    },
    {
      name: 'Keys',
      description: 'API keys, their limits, and how much they are used.',
      paths: ['/operator/keys', '/operator/usage'],
    },
    {
      name: 'Channels',
      description: 'Connected stores, groups of their campaigns, and how recent their facts are.',
      paths: ['/operator/channels', '/operator/campaignGroups', '/operator/freshness'],
    },
    {
      name: 'Imports',
      description: 'Documents and rows that become facts, and how they are booked and converted.',
      paths: [
        '/operator/imports',
        '/operator/documents',
        '/operator/facts',
        '/operator/financeCodes',
        '/operator/rates',
      ],
    },
    {
      name: 'The service',
      description:
        'Operators, the log of changes, a check of the installation, backups, and jobs in the background.',
      paths: [
        '/operator/operators',
        '/operator/audit',
        '/operator/diagnosis',
        '/operator/backups',
        '/operator/jobs',
      ],
    },
  ],
  security: {
    name: 'operatorToken',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: 'The operator token (VITRINE_OPERATOR_TOKEN), or the token of an operator.',
    },
  },
  errors: (contract) => ({
    400: 'Parameters are missing or invalid; the message lists every failing rule, separated by commas. Of a list with more failing entries it lists 20 and says that the list has more.',
    401: 'The operator token is missing or wrong.',
    403: 'The operator lacks the scope that the operation needs.',
    404: 'The record does not exist.',
    ...conflictErrors(contract),
    ...(contract.method !== 'GET' && {
      409: 'The change conflicts with another record, or the first request with this Idempotency-Key still runs.',
    }),
    ...(contract.body && {
      408: 'The body did not arrive in time.',
      413: 'The body is larger than 1 MiB.',
      415: 'The body is not sent as application/json.',
    }),
    ...(contract.stream && {
      408: 'The body brought less than 64 KiB in a minute.',
      413: 'The document is too large, or reading it takes more memory than one may.',
      415: 'The media type of the body is not supported.',
      422: 'Nothing was imported; the fields of the answer stand beside `error`.',
    }),
    429: 'The address sent too many wrong tokens; Retry-After says when to try again.',
    500: 'The service failed.',
    503: 'The service cannot answer at the moment or not in time.',
  }),
};

/** The errors of conflicts, and of requests that are repeated by their Idempotency-Key. */
function conflictErrors({ idempotencyKey, conflict }: Contract): Readonly<Record<number, string>> {
  const texts = conflict === undefined ? [] : [conflict];
  if (idempotencyKey === true)
    texts.push('The first request with this Idempotency-Key still runs.');
  return {
    ...(texts.length > 0 && { 409: texts.join(' ') }),
    ...(idempotencyKey === true && {
      422: 'The Idempotency-Key was used for another request.',
    }),
  };
}
