/** The import of an uploaded body, as the rooms for datasets and documents share it. */
import type { Channel } from '../../access/channels.ts';
import { change } from '../../access/records.ts';
import { dayNumber } from '../../calendar/period.ts';
import { notFound, Refusal } from '../../contract/refusal.ts';
import { ImportRefused, type ImportRequest } from '../../import/request.ts';
import type { Context, Upload } from '../handler.ts';

type Settings = Pick<ImportRequest, 'content' | 'acceptsMultiDay'> & {
  /** The operation, for the audit log. */
  readonly action: string;
  readonly channelId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly onError: 'skip' | 'abort';
};

/**
 * Imports a body and writes the audit log. Throws 404 for an unknown channel and 400 when the
 * document is refused.
 */
export async function runImport(
  context: Context<'operator'> & { readonly upload: Upload },
  { action, content, channelId, from, to, onError, acceptsMultiDay }: Settings,
) {
  const { importer, upload } = context;
  const { charset } = upload;
  const channel = channelId === undefined ? undefined : await findChannel(context, channelId);
  const request: ImportRequest = {
    content,
    acceptsMultiDay,
    abortOnRejection: onError === 'abort',
    ...(charset !== undefined && { charset }),
    ...(channel !== undefined && { channel }),
    ...(from !== undefined &&
      to !== undefined && { dateRange: { first: dayNumber(from), last: dayNumber(to) } }),
  };
  try {
    const answer = await importer.import(request, upload.body);
    const { rejected: _, ...detail } = answer;
    await change(context, (_transaction, audit) =>
      audit({ action, subject: channelId ?? '', detail }),
    );
    return answer;
  } catch (error) {
    if (error instanceof ImportRefused)
      throw new Refusal(400, `${error.message} (import ${error.importId})`);
    throw error;
  }
}

/** The channel of an identifier. Throws 404 when there is none. */
export function findChannel(
  { registry }: Pick<Context<'operator'>, 'registry'>,
  channelId: string,
): Promise<Channel> {
  return registry.records
    .selectFrom('channel')
    .selectAll()
    .where('channelId', '=', channelId)
    .executeTakeFirstOrThrow(() => notFound('channel'));
}
