/**
 * Asks the public operations through the session, typed by their contracts. Only types are
 * imported, which add no code.
 */
import type { AnswerOf, Contract, InputOf } from '../contract/endpoint.ts';
import type * as advertising from '../endpoints/advertising/contract.ts';
import type * as channels from '../endpoints/channels/contract.ts';
import type * as lineage from '../endpoints/lineage/contract.ts';
import type * as orders from '../endpoints/orders/contract.ts';
import type * as codes from '../endpoints/profitability/codes/contract.ts';
import type * as profitability from '../endpoints/profitability/contract.ts';
import type { reportContracts } from '../endpoints/reports/create/contract.ts';
import type * as reports from '../endpoints/reports/list/contract.ts';
import type * as statuses from '../endpoints/reports/status/contract.ts';
import type * as views from '../endpoints/reports/view/contract.ts';
import type * as profit from '../endpoints/reports/view/profitByPeriod/contract.ts';
import type * as salesByChannel from '../endpoints/reports/view/salesByChannel/contract.ts';
import type * as salesByProduct from '../endpoints/reports/view/salesByProduct/contract.ts';
import type * as schedules from '../endpoints/schedules/contract.ts';
import type * as searches from '../endpoints/search-query-performance/contract.ts';
import type * as tags from '../endpoints/tags/contract.ts';
import type * as targets from '../endpoints/targets/contract.ts';
import type * as webhooks from '../endpoints/webhooks/contract.ts';
import { Refused, send } from './client.ts';
import { type ApiRequest, type Partly, requestAt } from './request.ts';

type Modules = typeof advertising &
  typeof channels &
  typeof codes &
  typeof lineage &
  typeof profit &
  typeof profitability &
  typeof salesByChannel &
  typeof salesByProduct &
  typeof schedules &
  typeof searches &
  typeof tags &
  typeof targets &
  typeof orders &
  typeof reportContracts &
  typeof reports &
  typeof statuses &
  typeof views &
  typeof webhooks;
/** The contracts among what the modules export. */
type Contracts = {
  readonly [Name in keyof Modules as Modules[Name] extends Contract ? Name : never]: Modules[Name];
};
/** A public operation. */
export type DataOperation = keyof Contracts;
/** The input of a public operation; fields with a default are optional. */
export type DataInput<Name extends DataOperation> = Partly<InputOf<Contracts[Name]>>;

/** The answer of a public operation. */
export type DataAnswer<Name extends DataOperation> = AnswerOf<Contracts[Name]>;

/** The operations that the console asks, as method and path. */
const routes = {
  changeSchedule: 'PATCH /schedules/{scheduleId}',
  changeWebhook: 'PATCH /webhooks/{webhookId}',
  createCampaignsReport: 'POST /reports/create/campaigns',
  createCancellationsAndRefundsReport: 'POST /reports/create/cancellationsAndRefunds',
  createChannelProfitAndLossReport: 'POST /reports/create/channelProfitAndLoss',
  createCustomerLifetimeValueReport: 'POST /reports/create/customerLifetimeValue',
  createInventoryReplenishmentReport: 'POST /reports/create/inventoryReplenishment',
  createMarketingByProductReport: 'POST /reports/create/marketingByProduct',
  createOrderedRevenueReport: 'POST /reports/create/orderedRevenue',
  createRepeatPurchaseReport: 'POST /reports/create/repeatPurchase',
  createSalesByProductReport: 'POST /reports/create/salesByProduct',
  createShippedRevenueReport: 'POST /reports/create/shippedRevenue',
  createTrafficAndConversionReport: 'POST /reports/create/trafficAndConversion',
  createSchedule: 'POST /schedules',
  createWebhook: 'POST /webhooks',
  deleteSchedule: 'DELETE /schedules/{scheduleId}',
  deleteWebhook: 'DELETE /webhooks/{webhookId}',
  listAdGroups: 'GET /advertising/adGroups',
  listCampaigns: 'GET /advertising/campaigns',
  listChannels: 'POST /channels',
  listKeywords: 'GET /advertising/keywords',
  listOrders: 'POST /orders/primarymkt',
  listProducts: 'GET /advertising/products',
  listReports: 'GET /reports',
  listScheduleRuns: 'GET /schedules/{scheduleId}/runs',
  listSchedules: 'GET /schedules',
  listSearchQueryPerformance: 'GET /search-query-performance/asins',
  listTags: 'GET /tags',
  listUnknownCodes: 'GET /profitability/codes',
  listWebhookDeliveries: 'GET /webhooks/{webhookId}/deliveries',
  listWebhooks: 'GET /webhooks',
  saveCode: 'PATCH /profitability/codes',
  readLineage: 'GET /lineage',
  readProductProfitAndLoss: 'POST /profitability/productProfitAndLoss',
  readTargets: 'GET /targets',
  readReportStatus: 'GET /reports/status/{reportId}',
  replayWebhookDelivery: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  rotateWebhookSecret: 'POST /webhooks/{webhookId}/rotate',
  runSchedule: 'POST /schedules/{scheduleId}/run',
  testWebhook: 'POST /webhooks/{webhookId}/test',
  viewAdvertisingByChannels: 'POST /reports/view/advertisingByChannels',
  viewProfitByPeriod: 'POST /reports/view/profitByPeriod',
  viewSalesByChannel: 'POST /reports/view/salesByChannel',
  viewSalesByPeriod: 'POST /reports/view/salesByPeriod',
  viewSalesByProduct: 'POST /reports/view/salesByProduct',
  viewVendorSalesByPeriod: 'POST /reports/view/vendorSalesByPeriod',
} as const satisfies {
  readonly [Name in DataOperation]?: `${Contracts[Name]['method']} ${Contracts[Name]['path']}`;
};
/** A public operation that the console asks. */
export type Asked = keyof typeof routes;

/** A request as the public API takes it. */
export type PublicRequest = ApiRequest;

/** The public request of an operation with its input. */
export function requestOf<Name extends Asked>(name: Name, input: DataInput<Name>): PublicRequest {
  return requestAt(routes[name], input as object);
}

/** Where the console asks public operations. */
const prefix = '/account/data';

/** An answer, and the warning that came with it. */
export type Answered<Name extends DataOperation> = {
  readonly answer: DataAnswer<Name>;
  /** Why something is missing in the answer. */
  readonly warning: string | undefined;
};

/** Asks an operation; rejects with Refused. */
export async function askData<Name extends Asked>(
  name: Name,
  input: DataInput<Name>,
  signal?: AbortSignal,
): Promise<Answered<Name>> {
  const { method, path, body } = requestOf(name, input);
  const { text, headers } = await send(method, prefix + path, body, signal);
  return {
    // Some answers have no body.
    answer: (text === '' ? undefined : JSON.parse(text)) as DataAnswer<Name>,
    warning: headers.get('vitrine-warning') ?? undefined,
  };
}

/** Downloads the rows of an answer as CSV. */
export async function askCsv({ method, path, body }: PublicRequest): Promise<string> {
  const { text, headers } = await send(method, prefix + path, body, undefined, 'text/csv');
  if (!headers.get('content-type')?.startsWith('text/csv'))
    throw new Refused(0, 'This answer has no CSV form.');
  return text;
}

/** Downloads the file of a report by its link. */
export async function askFile(link: string, signal?: AbortSignal): Promise<string> {
  const { pathname, search } = new URL(link, location.href);
  return (await send('GET', pathname + search, undefined, signal, 'text/csv')).text;
}

/** Has the browser save the file of a link under its own name. */
export function saveFile(url: string): void {
  const { pathname, search } = new URL(url, location.href);
  const link = document.createElement('a');
  link.href = pathname + search;
  link.download = decodeURIComponent(pathname.split('/').at(-1)!);
  link.click();
}

/** The request as a command for a terminal; the key comes from the environment. */
export function curlOf({ method, path, body }: PublicRequest): string {
  const lines = [`curl '${location.origin}${path}'`, `-H "x-api-key: $VITRINE_KEY"`];
  if (method !== 'GET' && method !== 'POST') lines.push(`-X ${method}`);
  if (body !== undefined) {
    const json = JSON.stringify(body).replaceAll("'", "'\\''");
    lines.push("-H 'content-type: application/json'", `-d '${json}'`);
  }
  return lines.join(' \\\n  ');
}
