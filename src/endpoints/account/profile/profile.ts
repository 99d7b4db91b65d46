import { reachableChannels } from '../../../access/channels.ts';
import { change, changeOne, readOne, seconds, secondsOrNull } from '../../../access/records.ts';
import type { Context, Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Reads the profile of the user. */
export const readProfile: Handler<typeof contracts.readProfile> = (_input, context) =>
  profileOf(context);

/** Changes the profile of the user. */
export const changeProfile: Handler<typeof contracts.changeProfile> = async ({ name }, context) => {
  const { userId } = context.signedIn;
  await change(context, async (transaction, audit) => {
    const changes = { name: name === '' ? null : name };
    await changeOne(transaction, 'userAccount', { userId }, changes);
    await audit({ action: 'changeProfile', subject: userId, detail: { name: 'changed' } });
  });
  return profileOf(context);
};

async function profileOf({ signedIn, registry }: Context<'session'>) {
  const { userId, organisationId, organisation } = signedIn;
  const user = await readOne(registry.records, 'userAccount', { userId });
  const restricted = user.restricted === 1;
  const { channels } = await reachableChannels(registry, {
    userId,
    organisationId,
    restricted,
    keyId: null,
  })
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('channels'))
    .executeTakeFirstOrThrow();
  return {
    userId,
    organisation,
    isRestricted: restricted,
    channels,
    email: user.email,
    name: user.name,
    role: user.role,
    lastSignInAt: secondsOrNull(user.lastSignInAt),
    createdAt: seconds(user.createdAt),
  };
}
