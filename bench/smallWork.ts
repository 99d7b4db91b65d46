/** Kinds of small work that customers have done: a webhook, a run, an e-mail, costs, a report. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Customer, Service } from '../test/service.ts';

const pollMilliseconds = 5;

type Answer = Readonly<Record<string, string>>;

/** A piece of work that can be repeated. */
export type Work = {
  /** Requests the work. */
  readonly begin: () => Promise<Answer>;
  /** Resolves when it is done. */
  readonly ended: (begun: Answer) => Promise<void>;
};

/** Makes what one customer needs for work of a kind. */
export type Prepare = (customer: Customer, isMeasured: boolean) => Promise<Work>;

/** Where deliveries and e-mails arrive, and an address that never answers. */
export type Places = {
  readonly receiver: { readonly url: string; readonly arrived: readonly unknown[] };
  readonly mail: { readonly arrived: readonly { readonly recipients: readonly string[] }[] };
  readonly silentUrl: string;
};

const none = { channelId: undefined, merchantId: undefined };
const measuredAddress = 'measured@example.com';

async function poll(isOver: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isOver())) await delay(pollMilliseconds);
}

/** Resolves when the next one arrives. */
function arriving(count: () => number, begin: Work['begin']): Work {
  let before = 0;
  return {
    begin: () => {
      before = count();
      return begin();
    },
    ended: () => poll(() => count() > before),
  };
}

/** The kinds of small work by their names. */
export function smallWork(service: Service, places: Places): Readonly<Record<string, Prepare>> {
  const call: Call = async (by, method, path, fields = {}) => {
    const { key, channelId, merchantId } = by;
    const body = method === 'GET' ? undefined : { channelId, merchantId, ...fields };
    const answer = await service.ask(method, path, body, { 'x-api-key': key });
    const found = (await answer.json()) as Answer;
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${found.error}`);
    return found as never;
  };
  const schedule = async (customer: Customer, emails: readonly string[]) => {
    const times = { ...none, cron: '0 7 1 1 *', timezone: 'UTC', period: 'lastWeek' };
    const weekly = { ...times, name: 'Weekly', operation: 'viewSalesByChannel', parameters: {} };
    const made = await call(customer, 'POST', '/schedules', { ...weekly, emails });
    const path = `/schedules/${made.scheduleId}`;
    return { path, begin: () => call(customer, 'POST', `${path}/run`, none) };
  };
  return { ...scheduled(call, schedule, places), ...direct(call, places) };
}

type Call = <Found = Answer>(
  by: Customer,
  method: string,
  path: string,
  fields?: object,
) => Promise<Found>;
type Schedule = (
  customer: Customer,
  emails: readonly string[],
) => Promise<{ readonly path: string; readonly begin: Work['begin'] }>;

function scheduled(call: Call, schedule: Schedule, { mail }: Places): Record<string, Prepare> {
  return {
    async 'a run of a schedule'(customer) {
      const { path, begin } = await schedule(customer, []);
      const isDone = async (runId: string) => {
        const { runs } = await call<{ runs: readonly Answer[] }>(
          customer,
          'GET',
          `${path}/runs?pageSize=25`,
        );
        return runs.find((one) => one.runId === runId)?.state === 'done';
      };
      return { begin, ended: ({ runId }) => poll(() => isDone(runId!)) };
    },
    async 'an e-mail of a run'(customer, isMeasured) {
      const { begin } = await schedule(customer, [
        isMeasured ? measuredAddress : 'other@example.com',
      ]);
      const count = () =>
        mail.arrived.filter(({ recipients }) => recipients.includes(measuredAddress)).length;
      return arriving(count, begin);
    },
  };
}

function direct(call: Call, { receiver, silentUrl }: Places): Record<string, Prepare> {
  return {
    async 'unit costs'(customer) {
      const path = '/profitability/directCosts';
      const directCosts = [{ sellerSku: 'A', cogs: 1, cogsCurrency: 'USD' }];
      const { channelId, merchantId } = customer;
      const isDone = async (jobId: string) => {
        const query = new URLSearchParams({ channelId, merchantId, jobId });
        const { jobStatus } = await call(customer, 'GET', `${path}JobStatus?${query}`);
        return jobStatus === 'COMPLETED';
      };
      return {
        begin: () => call(customer, 'POST', path, { fromDate: 1_752_933_600, directCosts }),
        ended: ({ jobId }) => poll(() => isDone(jobId!)),
      };
    },
    async 'a report'(customer) {
      const isDone = async (reportId: string) =>
        (await call(customer, 'GET', `/reports/status/${reportId}`)).status === 'done';
      return {
        begin: () => call(customer, 'POST', '/reports/create/inventoryReplenishment'),
        ended: ({ reportId }) => poll(() => isDone(reportId!)),
      };
    },
    // The last, because deliveries to an address that never answers are tried for a day.
    async 'a webhook'(customer, isMeasured) {
      const url = isMeasured ? receiver.url : silentUrl;
      const hook = { ...none, url, events: ['report.failed'] };
      const { webhookId } = await call(customer, 'POST', '/webhooks', hook);
      const begin = () => call(customer, 'POST', `/webhooks/${webhookId}/test`, none);
      return arriving(() => receiver.arrived.length, begin);
    },
  };
}
