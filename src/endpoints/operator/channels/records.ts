import { type Channel, pricesIncludeTax } from '../../../access/channels.ts';
import {
  change,
  changeOne,
  defined,
  findOne,
  flag,
  listPage,
  readOne,
  seconds,
} from '../../../access/records.ts';
import { countryAlpha3 } from '../../../contract/countries.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { isUniqueViolation } from '../../../engine/errors.ts';
import { channelLock, drawChannelNumber, openImport } from '../../../engine/registry.ts';
import { settleTaxes } from '../../../import/taxes/settle.ts';
import type { Context, Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';
import { replenishmentDefault } from './contract.ts';

type Input = InputOf<typeof contracts.saveChannel>;

/** Connects a channel or changes it. */
export const saveChannel: Handler<typeof contracts.saveChannel> = async (input, context) => {
  const found = await findOne(context.registry.records, 'channel', { channelId: input.channelId });
  if (found !== undefined) return changeChannel(input, context, found);
  try {
    return await connectChannel(input, context);
  } catch (error) {
    // A simultaneous request connected it.
    const other = isUniqueViolation(error)
      ? await findOne(context.registry.records, 'channel', { channelId: input.channelId })
      : undefined;
    if (other === undefined) throw error;
    return changeChannel(input, context, other);
  }
};

function connectChannel(input: Input, context: Context<'operator'>) {
  return change(context, async (transaction, audit) => {
    const now = context.now();
    const channel = await transaction
      .insertInto('channel')
      .values({
        channelNumber: drawChannelNumber(),
        channelId: input.channelId,
        ...settingsOf(input),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit({ action: 'saveChannel', subject: input.channelId, detail: input });
    return answerOf(channel);
  });
}

/** Takes the channel's lock, so that no import commits with the days of the previous time zone. */
function changeChannel(input: Input, context: Context<'operator'>, { channelNumber }: Channel) {
  return context.registry.withLock(channelLock(channelNumber), async () => {
    const before = await findOne(context.registry.records, 'channel', {
      channelId: input.channelId,
    });
    if (before === undefined)
      throw new Refusal(409, 'the channel has just been deleted: please try again');
    if (before.organisationId !== input.organisationId)
      throw new Refusal(409, 'the channel belongs to another organisation');
    // First the days, then the record: if the second step fails, repeating the request or
    // restarting the service does both again.
    const finish =
      before.timezone === input.timezone
        ? undefined
        : await rebuild(context, before, input.timezone);
    const answer = await change(context, async (transaction, audit) => {
      const settings = { ...settingsOf(input), updatedAt: context.now() };
      const channel = await changeOne(transaction, 'channel', { channelNumber }, settings);
      await audit({ action: 'saveChannel', subject: input.channelId, detail: input });
      return answerOf(channel);
    });
    await finish?.();
    if (
      pricesIncludeTax(
        (await findOne(context.registry.records, 'channel', { channelId: input.channelId })) ??
          before,
      ) !== pricesIncludeTax(before)
    )
      await settleTaxes(context, channelNumber);
    return answer;
  });
}

/**
 * Rebuilds the days in another time zone. Call the result once the record has that time zone, too.
 */
async function rebuild(
  { registry, warehouse, now }: Context<'operator'>,
  { channelNumber }: Channel,
  timezone: string,
): Promise<(() => Promise<unknown>) | undefined> {
  const extents = await warehouse.extents(channelNumber, timezone);
  if (extents.every((table) => table.rows === 0)) return undefined;
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
export const listAllChannels: Handler<typeof contracts.listAllChannels> = async (
  { organisationId, ...page },
  { registry },
) => {
  const channels = registry.records
    .selectFrom('channel')
    .where(({ and }) => and(defined({ organisationId })))
    .selectAll()
    .orderBy('channelId');
  const { rows, total } = await listPage(channels, page);
  return { channels: rows.map(answerOf), total };
};

/** Reads one channel. */
export const readChannel: Handler<typeof contracts.readChannel> = async (
  { channelId },
  context,
) => {
  return answerOf(await readOne(context.registry.records, 'channel', { channelId }));
};

/** Deletes a channel with all its facts. */
export const deleteChannel: Handler<typeof contracts.deleteChannel> = async (
  { channelId },
  context,
) => {
  const found = await readOne(context.registry.records, 'channel', { channelId });
  const { channelNumber } = found;
  await context.registry.withLock(channelLock(channelNumber), async () => {
    // First the facts: if the second step fails, the request can be repeated. Facts without a
    // record could not be found any more.
    await context.warehouse.deleteFacts(channelNumber);
    await change(context, async (transaction, audit) => {
      await transaction
        .deleteFrom('job')
        .where('jobId', 'in', (about) =>
          about
            .selectFrom('reportChannel')
            .select('reportChannel.jobId')
            .where('reportChannel.channelNumber', '=', channelNumber)
            .union(
              about
                .selectFrom('scheduleRunChannel')
                .select('scheduleRunChannel.runId as jobId')
                .where('scheduleRunChannel.channelNumber', '=', channelNumber),
            ),
        )
        .execute();
      await transaction.deleteFrom('channel').where('channelNumber', '=', channelNumber).execute();
      await audit({
        action: 'deleteChannel',
        subject: channelId,
        detail: { organisationId: found.organisationId },
      });
    });
  });
};

function settingsOf(input: Input) {
  return {
    organisationId: input.organisationId,
    merchantId: input.merchantId,
    marketplace: input.marketplace,
    kind: input.kind,
    countryCode: countryAlpha3(input.countryCode)!,
    displayName: input.displayName,
    currency: input.currency,
    timezone: input.timezone,
    hasAdvertisingConnected: flag(input.hasAdvertisingConnected),
    ...replenishmentDefault,
    ...input.replenishment,
    pricesIncludeTax:
      typeof input.pricesIncludeTax === 'boolean' ? flag(input.pricesIncludeTax) : null,
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
    pricesIncludeTax: channel.pricesIncludeTax === null ? null : channel.pricesIncludeTax === 1,
    createdAt: seconds(channel.createdAt),
    updatedAt: seconds(channel.updatedAt),
  };
}
