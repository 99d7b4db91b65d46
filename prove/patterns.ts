/** Documents and requests whose parts grow: the time grows at most in proportion. */
import type { Contract } from '../src/contract/endpoint.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import { openWorld } from '../test/harness.ts';
import { fillers, type Growing, growingDocuments, growthOf, LoneReader } from './doublings.ts';
import { amountOf, type Extent, type Finding, found, seedOf } from './promise.ts';

const documentsInFull = 40_000;
const documentsInQuick = 400;
const requestsInQuick = 200;
const failuresShown = 10;
const reportEvery = 2_000;
/** A quarter of the characters that a header or an address may have. */
const requestCharacters = 3_000;
const headers = [
  ...['authorization', 'accept', 'accept-encoding', 'accept-language', 'content-type', 'cookie'],
  ...['forwarded', 'idempotency-key', 'if-none-match', 'origin', 'range', 'traceparent'],
  ...['user-agent', 'x-forwarded-for', 'x-request-id'],
];

/** About `count` entries spread over a list, from a place that the seed chooses. */
function spread<T>(list: readonly T[], count: number, seed: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, at) => at % step === seed % step);
}

/** A request with a part that grows: a header, or a value of the query. */
type GrowingRequest = Growing & { readonly path: string; readonly header?: string };

function growingRequests(): GrowingRequest[] {
  const values = fillers.map((filler) => ({
    name: JSON.stringify(filler),
    of: (size: number) => `2${filler.repeat((size * requestCharacters) / filler.length)}y`,
  }));
  const inHeaders = headers.flatMap((header) =>
    values.map((value) => ({
      ...value,
      header,
      path: '/channels',
      name: `${header} of ${value.name}`,
    })),
  );
  const inQueries = Object.values(publicContracts).flatMap(({ path, query }: Contract) =>
    Object.keys(query?.properties ?? {}).flatMap((field) =>
      values.map((value) => ({
        ...value,
        name: `${path}, ${field} of ${value.name}`,
        path: `${path}?${field}=`,
      })),
    ),
  );
  return [...inHeaders, ...inQueries];
}

async function measureRequests(count: number, seed: number): Promise<[number, string[]]> {
  const world = await openWorld('embedded', { logLevel: 'fatal' });
  const failures: string[] = [];
  try {
    const { key } = await world.tenant();
    const requests = spread(growingRequests(), count, seed);
    for (const request of requests) {
      const { path, header } = request;
      const failure = await growthOf(request, async (value) => {
        const text = `${value}`;
        if (header === undefined) await world.ask(key, 'GET', path + encodeURIComponent(text));
        // A header may have only these characters.
        else
          await world.ask(key, 'GET', path, undefined, {
            [header]: text.replaceAll(/[^ -~\t]/g, '?'),
          });
      });
      if (failure !== undefined) failures.push(failure);
    }
    return [requests.length, failures];
  } finally {
    await world.close();
  }
}

/** Reads some of the growing documents. Returns their number, and descriptions of the failures. */
export async function measureDocuments(
  count: number,
  seed: number,
  say: (line: string) => void = () => undefined,
): Promise<[number, string[]]> {
  const reader = new LoneReader();
  const failures: string[] = [];
  try {
    const documents = spread(growingDocuments(), count, seed);
    for (const [at, document] of documents.entries()) {
      const failure = await growthOf(document, (made) => reader.read(made));
      if (failure !== undefined) failures.push(failure);
      if (at % reportEvery === reportEvery - 1)
        say(`${at + 1} documents, ${failures.length} failures`);
    }
    return [documents.length, failures];
  } finally {
    reader.close();
  }
}

/** Grows parts of documents and requests, and measures the processor time. */
export async function measurePatterns(extent: Extent): Promise<Finding> {
  const { isQuick, say } = extent;
  const seed = seedOf(extent);
  const ofDocuments = amountOf(extent, documentsInFull, documentsInQuick);
  const [documents, slow] = await measureDocuments(ofDocuments, seed, say);
  const ofRequests = isQuick ? requestsInQuick : Number.POSITIVE_INFINITY;
  const [requests, slowRequests] = await measureRequests(ofRequests, seed);
  const failures = [...slow, ...slowRequests];
  for (const failure of failures.slice(0, failuresShown)) say(failure);
  return found(
    failures.length === 0,
    `${documents.toLocaleString('en')} documents and ${requests.toLocaleString('en')} requests ` +
      `with a part that grows, seed ${seed}: ${failures.length} take more than in proportion`,
  );
}
