import type { Channel } from '../../../access/channels.ts';
import { countryAlpha3 } from '../../../contract/countries.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { isUniqueViolation } from '../../../engine/errors.ts';
import { channelLock, openImport } from '../../../engine/registry.ts';
import { type operatorContracts as contracts, replenishmentDefault } from '../contracts.ts';
import { change, flag, type OperatorContext, type OperatorHandler, seconds } from '../handler.ts';

type Contracts = typeof contracts;
type Asked = InputOf<Contracts['saveChannel']>;

/** Connects a channel or changes it. */
export const saveChannel: OperatorHandler<Contracts['saveChannel']> = async (asked, context) => {
  const found = await findChannel(context, asked.channelId);
  if (found !== undefined) return changeChannel(asked, context, found);
  try {
    return await connectChannel(asked, context);
  } catch (error) {
    // Somebody else has connected it at the same moment.
    const other = isUniqueViolation(error)
      ? await findChannel(context, asked.channelId)
      : undefined;
    if (other === undefined) throw error;
    return changeChannel(asked, context, other);
  }
};

function connectChannel(asked: Asked, context: OperatorContext) {
  return change(context, async (transaction, note) => {
    const organisation = await transaction
      .selectFrom('organisation')
      .select('organisationId')
      .where('organisationId', '=', asked.organisationId)
      .executeTakeFirst();
    if (organisation === undefined)
      throw new Refusal(400, 'organisationId must be that of an organisation');
    const now = context.now();
    const channel = await transaction
      .insertInto('channel')
      .values({ channelId: asked.channelId, ...settingsOf(asked), createdAt: now, updatedAt: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await note({ action: 'saveChannel', subject: asked.channelId, detail: asked });
    return answerOf(channel);
  });
}

/** Changes under the channel's lock, so that no import lands with the days of a zone that the channel has just left. */
function changeChannel(asked: Asked, context: OperatorContext, { channelNumber }: Channel) {
  return context.registry.withLock(channelLock(channelNumber), async () => {
    const before = await findChannel(context, asked.channelId);
    if (before === undefined)
      throw new Refusal(409, 'the channel has just been deleted: please try again');
    if (before.organisationId !== asked.organisationId)
      throw new Refusal(409, 'the channel belongs to another organisation');
    // First the days, then the record: should the second not happen, the same call does both again, and so does a start after a crash.
    const finish =
      before.timezone === asked.timezone
        ? undefined
        : await rebuild(context, before, asked.timezone);
    const answer = await change(context, async (transaction, note) => {
      const channel = await transaction
        .updateTable('channel')
        .set({ ...settingsOf(asked), updatedAt: context.now() })
        .where('channelNumber', '=', channelNumber)
        .returningAll()
        .executeTakeFirstOrThrow();
      await note({ action: 'saveChannel', subject: asked.channelId, detail: asked });
      return answerOf(channel);
    });
    await finish?.();
    return answer;
  });
}

/** Builds the days of another zone; what it returns is to be called when the channel's record says that zone too. */
async function rebuild(
  { registry, warehouse, now }: OperatorContext,
  { channelNumber }: Channel,
  timezone: string,
): Promise<(() => Promise<unknown>) | undefined> {
  const reach = await warehouse.extents(channelNumber);
  if (reach.every((table) => table.rows === 0)) return undefined;
  const importId = await openImport(registry, 'rebuild', channelNumber, now());
  const finish = (state: 'done' | 'failed', error: string | null) =>
    registry.records
      .updateTable('import')
      .set({ state, error, finishedAt: now() })
      .where('importId', '=', importId)
      .execute();
  try {
    await warehouse.rebuild({ importId, channel: channelNumber }, timezone);
  } catch (error) {
    await finish('failed', 'the days of the new time zone could not be built');
    throw error;
  }
  return () => finish('done', null);
}

/** Lists the channels of all organisations or of one. */
export const listAllChannels: OperatorHandler<Contracts['listAllChannels']> = async (
  { organisationId, pageIndex, pageSize },
  { registry },
) => {
  const channels = registry.records
    .selectFrom('channel')
    .$if(organisationId !== undefined, (query) =>
      query.where('organisationId', '=', organisationId!),
    );
  const found = await channels
    .selectAll()
    .orderBy('channelId')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await channels
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { channels: found.map(answerOf), total };
};

/** Reads one channel. */
export const readChannel: OperatorHandler<Contracts['readChannel']> = async (
  { channelId },
  context,
) => {
  const channel = await findChannel(context, channelId);
  if (channel === undefined) throw unknownChannel();
  return answerOf(channel);
};

/** Deletes a channel with all its facts. */
export const deleteChannel: OperatorHandler<Contracts['deleteChannel']> = async (
  { channelId },
  context,
) => {
  const found = await findChannel(context, channelId);
  if (found === undefined) throw unknownChannel();
  const { channelNumber } = found;
  await context.registry.withLock(channelLock(channelNumber), async () => {
    // First the facts: should the record not go, the same call deletes again, whereas facts without a record could not be found any more.
    await context.warehouse.deleteFacts(channelNumber);
    await change(context, async (transaction, note) => {
      await transaction.deleteFrom('channel').where('channelNumber', '=', channelNumber).execute();
      await note({
        action: 'deleteChannel',
        subject: channelId,
        detail: { organisationId: found.organisationId },
      });
    });
  });
};

function findChannel(
  { registry }: OperatorContext,
  channelId: string,
): Promise<Channel | undefined> {
  return registry.records
    .selectFrom('channel')
    .selectAll()
    .where('channelId', '=', channelId)
    .executeTakeFirst();
}

function settingsOf(asked: Asked) {
  return {
    organisationId: asked.organisationId,
    merchantId: asked.merchantId,
    marketplace: asked.marketplace,
    kind: asked.kind,
    countryCode: countryAlpha3(asked.countryCode)!,
    displayName: asked.displayName,
    currency: asked.currency,
    timezone: asked.timezone,
    hasAdvertisingConnected: flag(asked.hasAdvertisingConnected),
    ...replenishmentDefault,
    ...asked.replenishment,
  };
}

function answerOf(channel: Channel) {
  return {
    channelId: channel.channelId,
    organisationId: channel.organisationId,
    merchantId: channel.merchantId,
    marketplace: channel.marketplace,
    kind: channel.kind,
    countryCode: channel.countryCode,
    displayName: channel.displayName,
    currency: channel.currency,
    timezone: channel.timezone,
    hasAdvertisingConnected: channel.hasAdvertisingConnected === 1,
    replenishment: {
      leadTimeDays: channel.leadTimeDays,
      safetyStockDays: channel.safetyStockDays,
      targetCoverDays: channel.targetCoverDays,
    },
    createdAt: seconds(channel.createdAt),
    updatedAt: seconds(channel.updatedAt),
  };
}

function unknownChannel(): Refusal {
  return new Refusal(404, 'there is no such channel');
}
