// The requests that `npm run scan` attacks: an example of every operation of the public
// description, with as many of its parameters as go together.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A request to attack: all its parameters have values that the service accepts. */
export type Target = {
  readonly operation: string;
  readonly method: string;
  /** The path as the description writes it, and as the log does. */
  readonly route: string;
  /** Path and query; `*` marks a part of the path to attack. */
  readonly address: string;
  readonly body?: string;
};

/** Identifiers of records that the scan has made. */
export type Known = Readonly<Record<'id' | 'reportId' | 'jobId' | 'customCampaignGroupId', string>>;

type Parameter = { readonly name: string; readonly in: string; readonly example: unknown };
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { example: object }>> };
};

/** Optional fields that the examples of the description leave empty. */
const furtherFields: Readonly<Record<string, object>> = {
  listChannels: {
    filter: { countryCodes: ['DE', 'GBR'], marketplaces: ['primarymkt'] },
    include: ['details', 'freshness'],
  },
  changeChannelTags: { removeTags: ['winter'] },
  viewSalesByPeriod: { sellerSkus: ['NW-POLES'], includeTax: true },
  viewVendorSalesByPeriod: { asins: ['B0NORTHW01'] },
  viewAdvertisingByChannels: {
    filter: { marketplaces: ['primarymkt'], countries: ['DE'], tags: ['org://europe'] },
    searchText: 'north',
    pageIndex: 0,
  },
  viewProfitByPeriod: { channelIds: ['northwind-uk'], currentCurrency: 'EUR', includeTax: true },
  viewSalesByProduct: { includeNoSales: true, searchText: 'pack', sortKey: 'title' },
  viewSalesByChannel: {
    filter: { marketplaces: ['primarymkt'], countries: ['DE'], tags: ['org://europe'] },
    searchText: 'north',
    pageIndex: 0,
  },
  listOrders: { dateField: 'createdAt' },
};

/** Reads the targets from the description; the operation that deletes a record comes last. */
export function readTargets(known: Known): Target[] {
  const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, one]) => targetOf(path, method, one, known)),
    )
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
}

function targetOf(path: string, method: string, operation: Operation, known: Known): Target {
  const { operationId, parameters = [], requestBody } = operation;
  const exampleOf = ({ name, example }: Parameter) =>
    name in known ? known[name as keyof Known] : [example].flat().join(',');
  const query = new URLSearchParams(
    Object.fromEntries(
      parameters.filter((one) => one.in === 'query').map((one) => [one.name, exampleOf(one)]),
    ),
  );
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((rest, one) => rest.replace(`{${one.name}}`, `${exampleOf(one)}*`), path);
  const example = requestBody?.content['application/json']?.example;
  return {
    operation: operationId,
    method: method.toUpperCase(),
    route: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    address: query.size === 0 ? filled : `${filled}?${query}`,
    ...(example && { body: JSON.stringify({ ...example, ...furtherFields[operationId] }) }),
  };
}
