/** A tool for each operation of the public API that only reads, made from its contract. */
import Type, { type TObject } from 'typebox';
import { type Contract, isReading } from '../contract/endpoint.ts';
import { objectReader } from '../contract/input.ts';
import { isObject, type JsonSchema } from '../contract/jsonSchema.ts';
import { rowShapeOf } from '../contract/rowShape.ts';
import { listChannels } from '../endpoints/channels/contract.ts';
import { type Api, Calls, ToolRefusal } from './api.ts';
import { buyersWarning, hasBuyers, withoutBuyers } from './buyers.ts';
import { inSeconds } from './dates.ts';
import { outputFrom, periodOf, type ShownList } from './output.ts';
import { namesPrior, withoutPriors, withRequiredPriors } from './priors.ts';
import { withNextStep } from './refusals.ts';
import { listedTool, type Tool } from './tool.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The tools of the operations that only read. */
export function readingTools(contracts: readonly Contract[]): Tool[] {
  return contracts.filter(isReading).map(readingTool);
}

/** The fields of path, query and body of an operation, side by side. */
export function inputSchema({ pathParameters, query, body }: Contract): TObject & JsonSchema {
  return Type.Object({
    ...pathParameters?.properties,
    ...query?.properties,
    ...body?.properties,
  }) as TObject & JsonSchema;
}

function readingTool(contract: Contract): Tool {
  const { operation, summary, description } = contract;
  const input = inputSchema(contract);
  const [first = ''] = description.split('\n\n');
  return {
    listed: listedTool({ name: operation, title: summary, description: first, input }),
    run: (given, api) =>
      read(contract, input, given, api).catch((error: unknown) => {
        if (!(error instanceof ToolRefusal)) throw error;
        throw withNextStep(error, operation, Object.keys(input.properties));
      }),
  };
}

async function read(contract: Contract, schema: TObject & JsonSchema, given: Fields, api: Api) {
  const calls = new Calls(api);
  const input = await inSeconds(schema, given, () => zonesOf(calls, given));
  const whole: Record<string, unknown> = {};
  objectReader(schema, false)(input, whole);
  const found = await calls.askLoosely(contract, withRequiredPriors(schema, input));
  const period = periodOf(whole);
  const shown = namesPrior(input) ? found : withoutPriors(found);
  const omits = !calls.holdsBuyers && hasBuyers(found);
  const answer = omits ? withoutBuyers(shown) : shown;
  const figures = {
    summary: `${contract.summary}.`,
    ...(period && { period }),
    currency: currencyOf(found, whole),
    ...(omits && { warnings: [buyersWarning] }),
    answer,
  };
  return outputFrom(calls, figures, (shown, cuts) =>
    shownLists(contract, whole, found, shown, cuts),
  );
}

/** The zones of the stores that fields name, or of all stores of the key. */
async function zonesOf(calls: Calls, { channelId, channelIds }: Fields): Promise<string[]> {
  const named = [channelId, channelIds].flat().filter((one) => one !== undefined);
  const stores = await calls.ask(listChannels, { include: ['details'] });
  const meant = stores.filter((store) => named.length === 0 || named.includes(store.channelId));
  const zones = new Set(meant.map(({ timezone }) => timezone ?? 'UTC'));
  return zones.size === 0 ? ['UTC'] : [...zones];
}

/** The currency of an answer that names one for all its amounts. */
function currencyOf(answer: unknown, { currentCurrency, currency }: Fields): string | undefined {
  const meta = isObject(answer) ? answer.meta : undefined;
  const named = [answer, meta]
    .filter(isObject)
    .map((one) => one.currency)
    .concat(currentCurrency, currency);
  return named.find((one) => typeof one === 'string');
}

/** How much of each list is shown: of the rows of the answer, and of lists that were cut. */
function shownLists(
  contract: Contract,
  input: Fields,
  found: unknown,
  shown: unknown,
  cuts: readonly ShownList[],
): ShownList[] {
  const shape = rowShapeOf(contract);
  const others = (list: string | undefined) => cuts.filter((cut) => cut.list !== list);
  if (shape === undefined) return others(undefined);
  const list = ['answer', ...shape.path].join('.');
  const count = lengthAt(shown, shape.path);
  const ofPage = lengthAt(found, shape.path);
  const hasMore = keyOf(found) !== undefined;
  const of = hasMore ? undefined : (totalOf(found) ?? ofPage);
  const next = nextText(contract, input, hasMore, { count, ofPage, of });
  const row = {
    list,
    shown: count,
    ...(of !== undefined && { of }),
    ...(next !== undefined && { next }),
  };
  return [row, ...others(list)];
}

function lengthAt(value: unknown, path: readonly string[]): number {
  const list = path.reduce((within, name) => (isObject(within) ? within[name] : undefined), value);
  return Array.isArray(list) ? list.length : 0;
}

const totalNames = ['count', 'total', 'totalCount', 'totalItems'];

/** The number of rows on all pages, if the answer has it. */
function totalOf(answer: unknown): number | undefined {
  if (!isObject(answer)) return undefined;
  return [answer, answer.pagination, answer.data]
    .filter(isObject)
    .flatMap((one) => totalNames.map((name) => one[name]))
    .find((one) => typeof one === 'number');
}

type Counts = {
  /** Rows that are shown, of this page and of all pages. */
  readonly count: number;
  readonly ofPage: number;
  readonly of: number | undefined;
};

/** How to ask for the rows that are not shown; undefined when all are. */
function nextText(
  contract: Contract,
  input: Fields,
  hasMore: boolean,
  { count, ofPage, of = 0 }: Counts,
): string | undefined {
  const { pageIndex, pageSize } = isObject(input.reportOptions)
    ? { ...input, ...input.reportOptions }
    : input;
  if (count < ofPage)
    return pageSize === undefined
      ? `ask for a shorter period${hasInterval(contract) ? ', a longer interval' : ''} or less`
      : `ask for smaller pages: a pageSize of at most ${count}`;
  if (typeof pageIndex === 'number' && typeof pageSize === 'number')
    return (pageIndex + 1) * pageSize < of ? `ask with pageIndex ${pageIndex + 1}` : undefined;
  return hasMore ? 'ask with the key of answer.meta' : undefined;
}

/** The key of the next page, where pages have keys instead of numbers. */
function keyOf(answer: unknown): unknown {
  return isObject(answer) && isObject(answer.meta) ? answer.meta.key : undefined;
}

function hasInterval({ body, query }: Contract): boolean {
  const fields = { ...query?.properties, ...body?.properties } as Record<string, JsonSchema>;
  return { ...fields, ...fields.reportOptions?.properties }.interval !== undefined;
}
