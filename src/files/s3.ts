/** The file store in a bucket of S3, or of a store that speaks like it. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { StoreUnavailable } from '../engine/errors.ts';
import type { FileStore, ListedFile } from './store.ts';

/** Bytes of a part: an upload has at most 10,000 of them, and each but the last at least 5 MiB. */
const partBytes = 8 * 1024 * 1024;
const retries = 4;
/** How long the store may take to begin its answer. */
const answerMilliseconds = 60_000;

/** Where the bucket is, and who may write to it. */
export type BucketAddress = {
  readonly bucket: string;
  /** What the names of files are put after, "" or ending with a slash. */
  readonly prefix: string;
  /** The address of the store, without a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
};

/** Opens the store; nothing is asked of it yet. */
export function openBucket({
  bucket,
  prefix,
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
  sessionToken,
}: BucketAddress): FileStore {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region,
    retries,
  });
  const bucketUrl = `${endpoint}/${bucket}`;
  const urlOf = (name: string) =>
    `${bucketUrl}/${(prefix + name).split('/').map(encodeURIComponent).join('/')}`;

  async function send(
    method: string,
    url: string,
    { body, headers = {}, absent = [] }: Sent = {},
  ): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMilliseconds);
    let response: Response;
    try {
      response = await client.fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: late.signal,
      });
    } catch (error) {
      throw new StoreUnavailable('file store', error);
    } finally {
      // The body may take longer.
      clearTimeout(timer);
    }
    if (response.ok || absent.includes(response.status)) return response;
    const text = await response.text().catch(() => '');
    throw new StoreUnavailable(
      'file store',
      new Error(`${method} was answered with ${response.status} ${elementOf(text, 'Code') ?? ''}`),
    );
  }

  async function begin(name: string): ReturnType<FileStore['begin']> {
    const url = urlOf(name);
    let gathered: Buffer[] = [];
    let bytes = 0;
    let upload: string | undefined;
    const tags: string[] = [];
    const uploadUrl = (query = '') => `${url}?${query}uploadId=${encodeURIComponent(upload!)}`;

    const taken = (): Buffer<ArrayBuffer> => {
      const body = Buffer.concat(gathered);
      gathered = [];
      bytes = 0;
      return body;
    };
    async function sendPart(): Promise<void> {
      upload ??= textOf(
        await (
          await send('POST', `${url}?uploads=`, { headers: { 'content-type': contentType } })
        ).text(),
        'UploadId',
      );
      const response = await send('PUT', uploadUrl(`partNumber=${tags.length + 1}&`), {
        body: taken(),
      });
      await response.body?.cancel();
      tags.push(response.headers.get('etag') ?? '');
    }

    return {
      async write(text) {
        const more = Buffer.from(text);
        gathered.push(more);
        bytes += more.length;
        if (bytes >= partBytes) await sendPart();
      },
      async keep() {
        if (upload === undefined) {
          const response = await send('PUT', url, {
            body: taken(),
            headers: { 'content-type': contentType },
          });
          await response.body?.cancel();
          return;
        }
        if (bytes > 0) await sendPart();
        const parts = tags
          .map(
            (tag, place) => `<Part><PartNumber>${place + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
          )
          .join('');
        const response = await send('POST', uploadUrl(), {
          body: `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`,
        });
        // The store may answer 200 before it knows whether it can.
        const text = await response.text();
        if (!text.includes('CompleteMultipartUploadResult'))
          throw new StoreUnavailable(
            'file store',
            new Error(`an upload could not be completed: ${elementOf(text, 'Code') ?? ''}`),
          );
        upload = undefined;
      },
      async discard() {
        gathered = [];
        if (upload !== undefined) await send('DELETE', uploadUrl()).catch(() => {});
      },
    };
  }

  return {
    begin,
    async find(name) {
      const found = await send('HEAD', urlOf(name), { absent: [404] });
      const tag = found.headers.get('etag');
      if (found.status === 404 || tag === null) return undefined;
      return {
        size: Number(found.headers.get('content-length')),
        tag,
        async open(range) {
          const asked = range && { range: `bytes=${range.first}-${range.last}` };
          const { body, headers } = await send('GET', urlOf(name), { headers: asked ?? {} });
          if (headers.get('etag') !== tag) {
            await body?.cancel();
            throw new StoreUnavailable(
              'file store',
              new Error('the file has been replaced meanwhile'),
            );
          }
          return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
        },
      };
    },
    async *list() {
      let token = '';
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix,
          ...(token !== '' && { 'continuation-token': token }),
        });
        const text = await (await send('GET', `${bucketUrl}?${query}`)).text();
        const files: ListedFile[] = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(
          ([, file]) => ({
            name: textOf(file!, 'Key').slice(prefix.length),
            changedAt: Date.parse(textOf(file!, 'LastModified')),
          }),
        );
        if (files.length > 0) yield files;
        token = elementOf(text, 'NextContinuationToken') ?? '';
      } while (token !== '');
    },
    async remove(names) {
      for (const name of names)
        await (await send('DELETE', urlOf(name), { absent: [404] })).body?.cancel();
    },
  };
}

const contentType = 'text/csv; charset=utf-8';

type Sent = {
  readonly body?: string | Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that say no more than that there is nothing. */
  readonly absent?: readonly number[];
};

/** The text of the first element of that name. */
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
  if (text === undefined)
    throw new StoreUnavailable(
      'file store',
      new Error(`the answer of the store has no ${element}`),
    );
  return text;
}
