/** The file store in a bucket of S3 or of a compatible service. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { StoreUnavailable } from '../engine/errors.ts';
import {
  type FileDraft,
  type FileStore,
  type ListedFile,
  mediaTypeOf,
  type StoredFile,
} from './store.ts';

/**
 * The size of a part. An upload has at most 10,000 parts; each except the last is at least 5 MiB.
 */
const partBytes = 8 * 1024 * 1024;
const retries = 4;
/** How long the bucket may take to start its response. */
const answerMilliseconds = 60_000;

/** The location of a bucket and the credentials for it. */
export type BucketAddress = {
  readonly bucket: string;
  /** Precedes the name of every file; empty or ends with a slash. */
  readonly prefix: string;
  /** The address of the service, without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
};

/** Opens the store. It sends its first request to the bucket when it is first called. */
export function openBucket(address: BucketAddress): FileStore {
  const bucket = connect(address);
  return {
    isLocal: false,
    begin: async (name) => beginUpload(bucket, name),
    find: (name) => findFile(bucket, name),
    // The bucket's service compares checksums itself.
    verify: async () => [],
    list: () => listFiles(bucket),
    async remove(names) {
      for (const name of names) {
        const response = await bucket.send('DELETE', bucket.urlOf(name), { absent: [404] });
        await response.body?.cancel();
      }
    },
  };
}

type Connection = {
  readonly url: string;
  readonly prefix: string;
  readonly urlOf: (name: string) => string;
  /** Throws StoreUnavailable on any status except success and the statuses of `absent`. */
  readonly send: (method: string, url: string, request?: Sent) => Promise<Response>;
};

function connect({ bucket, prefix, endpoint, ...credentials }: BucketAddress): Connection {
  const { sessionToken, ...keys } = credentials;
  const client = new AwsClient({
    ...keys,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    retries,
  });
  const url = `${endpoint}/${bucket}`;
  return {
    url,
    prefix,
    urlOf: (name) => `${url}/${(prefix + name).split('/').map(encodeURIComponent).join('/')}`,
    async send(method, url, { body, headers = {}, absent = [] } = {}) {
      const init = { method, headers, ...(body !== undefined && { body }) };
      const response = await responseInTime(client, url, init);
      if (response.ok || absent.includes(response.status)) return response;
      const text = await response.text().catch(() => '');
      const code = elementOf(text, 'Code') ?? '';
      throw unavailable(`${method} was answered with ${response.status} ${code}`);
    },
  };
}

/** Only the start of the response has a time limit: a long body may take longer. */
async function responseInTime(
  client: AwsClient,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMilliseconds);
  try {
    return await client.fetch(url, { ...init, signal: late.signal, redirect: 'manual' });
  } catch (error) {
    throw new StoreUnavailable('file store', error);
  } finally {
    clearTimeout(timer);
  }
}

/** A short file is sent as one object, a longer one as an upload in parts. */
function beginUpload(bucket: Connection, name: string): FileDraft {
  const url = bucket.urlOf(name);
  const headers = { 'content-type': mediaTypeOf(name) };
  let buffered: Uint8Array[] = [];
  let bytes = 0;
  let upload: string | undefined;
  const tags: string[] = [];
  const uploadUrl = (query = '') => `${url}?${query}uploadId=${encodeURIComponent(upload!)}`;

  function takeBuffered(): Buffer<ArrayBuffer> {
    const body = Buffer.concat(buffered);
    buffered = [];
    bytes = 0;
    return body;
  }

  async function sendPart(): Promise<void> {
    upload ??= await beginParts(bucket, url, headers);
    const partUrl = uploadUrl(`partNumber=${tags.length + 1}&`);
    const response = await bucket.send('PUT', partUrl, { body: takeBuffered() });
    await response.body?.cancel();
    tags.push(response.headers.get('etag') ?? '');
  }

  return {
    async write(content) {
      const more = typeof content === 'string' ? Buffer.from(content) : content;
      buffered.push(more);
      bytes += more.length;
      if (bytes >= partBytes) await sendPart();
    },
    async store() {
      if (upload === undefined) {
        const response = await bucket.send('PUT', url, { body: takeBuffered(), headers });
        await response.body?.cancel();
        return;
      }
      if (bytes > 0) await sendPart();
      await completeParts(bucket, uploadUrl(), tags);
      upload = undefined;
    },
    async discard() {
      buffered = [];
      if (upload !== undefined) await bucket.send('DELETE', uploadUrl()).catch(() => {});
    },
  };
}

async function beginParts(
  bucket: Connection,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await bucket.send('POST', `${url}?uploads=`, { headers });
  return textOf(await response.text(), 'UploadId');
}

async function completeParts(
  bucket: Connection,
  uploadUrl: string,
  tags: readonly string[],
): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  );
  const response = await bucket.send('POST', uploadUrl, {
    body: `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
  });
  // The status may be 200 although the upload failed: only the body shows it.
  const text = await response.text();
  if (!text.includes('CompleteMultipartUploadResult'))
    throw unavailable(`an upload could not be completed: ${elementOf(text, 'Code') ?? ''}`);
}

async function findFile(bucket: Connection, name: string): Promise<StoredFile | undefined> {
  const url = bucket.urlOf(name);
  const found = await bucket.send('HEAD', url, { absent: [404] });
  const tag = found.headers.get('etag');
  if (found.status === 404 || tag === null) return undefined;
  return {
    size: Number(found.headers.get('content-length')),
    tag,
    async open(range) {
      const { body, headers } = await bucket.send('GET', url, {
        ...(range && { headers: { range: `bytes=${range.first}-${range.last}` } }),
      });
      if (headers.get('etag') !== tag) {
        await body?.cancel();
        throw unavailable('the file has been replaced since it was found');
      }
      return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
    },
  };
}

async function* listFiles(bucket: Connection): AsyncGenerator<readonly ListedFile[]> {
  let token = '';
  do {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix: bucket.prefix,
      ...(token !== '' && { 'continuation-token': token }),
    });
    const text = await (await bucket.send('GET', `${bucket.url}?${query}`)).text();
    const files: ListedFile[] = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(
      ([, file]) => ({
        name: textOf(file!, 'Key').slice(bucket.prefix.length),
        changedAt: Date.parse(textOf(file!, 'LastModified')),
      }),
    );
    if (files.length > 0) yield files;
    token = elementOf(text, 'NextContinuationToken') ?? '';
  } while (token !== '');
}

function unavailable(reason: string): StoreUnavailable {
  return new StoreUnavailable('file store', new Error(reason));
}

type Sent = {
  readonly body?: string | Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that mean that the file does not exist, which is not an error. */
  readonly absent?: readonly number[];
};

/** The text of the first element with this name. */
function elementOf(document: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(document)?.[1];
  return text?.replaceAll(
    /&(amp|lt|gt|quot|apos);/g,
    (_, name: keyof typeof entities) => entities[name],
  );
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function textOf(document: string, element: string): string {
  const text = elementOf(document, element);
  if (text === undefined) throw unavailable(`the response of the bucket has no ${element}`);
  return text;
}
