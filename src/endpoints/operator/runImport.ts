/** The import of an uploaded body, which the rooms for datasets and documents share. */
import { change, readOne } from '../../access/records.ts';
import { dayNumber } from '../../calendar/period.ts';
import { Refusal } from '../../contract/refusal.ts';
import {
  ImportDelayed,
  ImportRefused,
  type ImportRequest,
  ImportTooLarge,
  NothingImported,
  ReadingFailed,
} from '../../import/request.ts';
import type { Context, Upload } from '../handler.ts';

type Settings = Pick<ImportRequest, 'content' | 'acceptsMultiDay'> & {
  /** The operation, for the audit log. */
  readonly action: string;
  readonly channelId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly onError: 'skip' | 'abort';
  readonly replace: boolean;
  readonly zone?: 'channel' | undefined;
  readonly decimal?: 'comma' | 'point' | undefined;
  readonly dates?: ImportRequest['dateOrder'] | undefined;
  readonly confirm?: 'fewRows' | undefined;
  readonly fileName?: string | undefined;
};

/** The media type of `curl --data`, which removes line ends, and of `--data-binary`. */
const formMediaType = 'application/x-www-form-urlencoded';
const retrySeconds = 30;
const formAdvice =
  'with curl, send a file by --data-binary @FILE, as -d removes its line ends and -F wraps it in a form';

/** Refuses a form, which curl sends for -F. */
export function refuseForm({ mediaType }: Upload): void {
  if (mediaType === 'multipart/form-data')
    throw new Refusal(415, `the body must be the document itself, not a form: ${formAdvice}`);
}

/**
 * Imports a body and writes the audit log. Throws 404 for an unknown channel, 400 if the document
 * is refused, 413 if it is too large, 422 if all its rows are rejected and 503 while there is no
 * room for it.
 */
export async function runImport(
  context: Context<'operator'> & { readonly upload: Upload },
  { action, content, channelId, from, to, onError, acceptsMultiDay, ...options }: Settings,
) {
  const { importer, upload } = context;
  refuseForm(upload);
  const { charset, mediaType } = upload;
  const channel =
    channelId === undefined
      ? undefined
      : await readOne(context.registry.records, 'channel', { channelId });
  const request: ImportRequest = {
    content,
    signal: upload.signal,
    acceptsMultiDay,
    abortOnRejection: onError === 'abort',
    replaces: options.replace,
    confirmsFewRows: options.confirm === 'fewRows',
    hasLocalTimes: options.zone === 'channel',
    ...(options.decimal !== undefined && { decimalMark: options.decimal === 'comma' ? ',' : '.' }),
    ...(options.dates !== undefined && { dateOrder: options.dates }),
    ...(charset !== undefined && { charset }),
    ...(mediaType !== '' && { mediaType }),
    ...(options.fileName !== undefined && { fileName: options.fileName }),
    ...(channel !== undefined && { channel }),
    ...(from !== undefined &&
      to !== undefined && { dateRange: { first: dayNumber(from), last: dayNumber(to) } }),
  };
  try {
    const answer = await importer.importUpload(request, upload.body);
    const { rejected: _, ...detail } = answer;
    await change(context, (_transaction, audit) =>
      audit({ action, subject: channelId ?? '', detail }),
    );
    return answer;
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    const text = `${error.message} (import ${error.importId})`;
    if (error instanceof NothingImported) throw new Refusal(422, text, {}, error.answer);
    if (error instanceof ReadingFailed)
      context.log.error({ place: error.place }, 'the thread that reads documents failed');
    if (error instanceof ImportTooLarge) throw new Refusal(413, text);
    if (error instanceof ImportDelayed)
      throw new Refusal(503, text, { 'retry-after': String(retrySeconds) });
    throw new Refusal(400, upload.mediaType === formMediaType ? `${text}; ${formAdvice}` : text);
  }
}
