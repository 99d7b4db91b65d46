/** Every operation with its handler and rules, ready to be served. */

import { endpoints as account } from './account/endpoints.ts';
import { endpoints as advertising } from './advertising/endpoints.ts';
import { endpoints as channels } from './channels/endpoints.ts';
import { endpoints as customGroups } from './customGroups/endpoints.ts';
import type { AnyEndpoint } from './handler.ts';
import { endpoints as lineage } from './lineage/endpoints.ts';
import { endpoints as operator } from './operator/endpoints.ts';
import { endpoints as orders } from './orders/endpoints.ts';
import { endpoints as profitability } from './profitability/endpoints.ts';
import { endpoints as reports } from './reports/endpoints.ts';
import { endpoints as schedules } from './schedules/endpoints.ts';
import { endpoints as searchQueryPerformance } from './search-query-performance/endpoints.ts';
import { endpoints as tags } from './tags/endpoints.ts';
import { endpoints as targets } from './targets/endpoints.ts';
import { endpoints as webhooks } from './webhooks/endpoints.ts';

/** The endpoints of all rooms. */
export const endpoints: readonly AnyEndpoint[] = [
  ...channels,
  ...tags,
  ...customGroups,
  ...reports,
  ...advertising,
  ...searchQueryPerformance,
  ...targets,
  ...orders,
  ...profitability,
  ...lineage,
  ...webhooks,
  ...schedules,
  ...operator,
  ...account,
];
