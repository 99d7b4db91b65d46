import { consumeCode } from '../../../access/attempts.ts';
import { confirmSignedIn } from '../../../access/confirmation.ts';
import { change, secondsOrNull } from '../../../access/records.ts';
import * as factors from '../../../access/secondFactor.ts';
import { endSessions, renewSession } from '../../../access/sessions.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Reads the state of the second factor. */
export const readSecondFactor: Handler<typeof contracts.readSecondFactor> = async (
  _input,
  context,
) => {
  const found = await factors.readSecondFactor(context, context.signedIn.userId);
  return {
    onSince: secondsOrNull(found?.onSince ?? null),
    codesLeft: found?.codesLeft ?? 0,
    isRequired: context.config.requiresSecondFactor,
  };
};

/** Makes a secret, which its first code must confirm. */
export const enrolSecondFactor: Handler<typeof contracts.enrolSecondFactor> = async (
  { password },
  context,
) => {
  await confirmSignedIn(context, password);
  const { signedIn, config, now } = context;
  return change(context, (transaction) =>
    factors.enrol(transaction, config.secret, signedIn, now()),
  );
};

/** Turns the second factor on, ends sessions that began without it, and renews the current one. */
export const confirmSecondFactor: Handler<typeof contracts.confirmSecondFactor> = async (
  { code },
  context,
) => {
  const { signedIn, config, visitor, now } = context;
  const { userId, sessionId } = signedIn;
  await consumeCode(context, userId);
  const { recoveryCodes, token } = await change(context, async (transaction, audit) => {
    const recoveryCodes = await factors.confirmEnrolment(
      transaction,
      config.secret,
      signedIn,
      code,
      now(),
    );
    const sessions = await endSessions(transaction, userId, sessionId);
    await audit({ action: 'confirmSecondFactor', subject: userId, detail: { sessions } });
    return { recoveryCodes, token: await renewSession(transaction, context, sessionId) };
  });
  visitor.keep(token);
  return { recoveryCodes };
};

/** Turns the second factor off. */
export const removeSecondFactor: Handler<typeof contracts.removeSecondFactor> = async (
  { password },
  context,
) => {
  if (context.config.requiresSecondFactor)
    throw new Refusal(
      409,
      'this service requires a second factor: ask the operator to remove yours if you need another',
    );
  await confirmSignedIn(context, password);
  const { userId } = context.signedIn;
  await change(context, async (transaction, audit) => {
    if (!(await factors.removeSecondFactor(transaction, userId))) return;
    await audit({ action: 'removeSecondFactor', subject: userId, detail: {} });
  });
};

/** Replaces the recovery codes. */
export const renewRecoveryCodes: Handler<typeof contracts.renewRecoveryCodes> = async (
  { password },
  context,
) => {
  await confirmSignedIn(context, password);
  const { signedIn, config } = context;
  const { userId } = signedIn;
  if ((await factors.readSecondFactor(context, userId)) === undefined)
    throw new Refusal(409, 'the second factor is off');
  return change(context, async (transaction, audit) => {
    const recoveryCodes = await factors.renewRecoveryCodes(transaction, config.secret, userId);
    await audit({ action: 'renewRecoveryCodes', subject: userId, detail: {} });
    return { recoveryCodes };
  });
};
