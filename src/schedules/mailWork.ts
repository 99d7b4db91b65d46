/** The jobs that e-mail the files of runs, and ask recipients to confirm. */
import { type Basis, withdrawalOf } from '../access/withdrawals.ts';
import type { SmtpSettings } from '../config.ts';
import type { Clock } from '../engine/clock.ts';
import type { Registry } from '../engine/registry.ts';
import type { FileStore, StoredFile } from '../files/store.ts';
import { JobPostponed, JobRefused, type Work } from '../jobs/worker.ts';
import { callsOfSchedule, type OperationOf } from './calls.ts';
import { channelsOfRun } from './files.ts';
import { type Mailer, MailFailure, openMailer, sendConfirmation, sendRun } from './mail.ts';
import { countMessage, type MailLimits, noteSent } from './mailLimits.ts';
import { confirmMilliseconds, type MailLinks } from './mailLinks.ts';
import { changeRecipient, openRecipient, recipientsOf } from './recipients.ts';
import { changeRun } from './runs.ts';

/** The run whose file a job sends, or the schedule whose recipients it asks to confirm. */
export type MailPayload = { readonly runId: string } | { readonly scheduleId: string };

/** The dependencies of the jobs. */
export type MailParts = {
  readonly registry: Registry;
  readonly files: FileStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly mail: SmtpSettings;
  /** The domains whose addresses need not confirm. */
  readonly domains: readonly string[];
  readonly limits: MailLimits;
  readonly links: MailLinks;
  /** The address of the page with the runs. */
  readonly pageUrl: string;
  readonly operationOf: OperationOf;
};

const minute = 60_000;
/** The shortest and longest pause before another attempt, and how long attempts go on. */
const pauseMin = minute;
const pauseMax = 6 * 60 * minute;
const triedFor = 24 * 60 * minute;

/**
 * Sends the files. If the server is unreachable or refuses for now, retries for a day, with pauses
 * as long as the job has been tried so far.
 */
export function mailWork(parts: MailParts): Work {
  return new Mails(parts);
}

/** The results of one attempt for all recipients. */
type Attempt = {
  readonly mailer: Mailer;
  sent: number;
  failure: MailFailure | undefined;
  readonly notes: Set<string>;
};

class Mails implements Work {
  readonly inOrder = false;
  readonly #parts: MailParts;

  constructor(parts: MailParts) {
    this.#parts = parts;
  }

  readonly run: Work['run'] = async ({ payload, createdAt }) => {
    const about = payload as MailPayload;
    const mailer = await openMailer(this.#parts.mail);
    if ('runId' in about) return this.#sendRun(about.runId, mailer);
    const schedule = await this.#schedules()
      .where('schedule.scheduleId', '=', about.scheduleId)
      .executeTakeFirst();
    if (schedule === undefined) return;
    const attempt: Attempt = { mailer, sent: 0, failure: undefined, notes: new Set() };
    const after = this.#now - confirmMilliseconds;
    await this.#askAll(schedule, after, attempt);
    this.#postpone(attempt, createdAt);
  };

  readonly onEnd: NonNullable<Work['onEnd']> = async (transaction, { payload }, error) => {
    const about = payload as MailPayload;
    if (error === undefined || !('runId' in about)) return;
    await transaction
      .updateTable('scheduleRun')
      .set({ mailError: error })
      .where('runId', '=', about.runId)
      .execute();
  };

  get #now(): number {
    return this.#parts.clock.now();
  }

  #schedules() {
    return this.#parts.registry.records
      .selectFrom('schedule')
      .innerJoin('organisation', 'organisation.organisationId', 'schedule.organisationId')
      .leftJoin('apiKey', 'apiKey.keyId', 'schedule.keyId')
      .select(['schedule.organisationId', 'schedule.userId', 'schedule.keyId'])
      .select('apiKey.madeFrom')
      .select('schedule.operation')
      .select(['schedule.name', 'schedule.emails', 'organisation.name as organisation']);
  }

  #find(runId: string) {
    return this.#schedules()
      .innerJoin('scheduleRun', 'scheduleRun.scheduleId', 'schedule.scheduleId')
      .select(['scheduleRun.dueAt', 'scheduleRun.storedAs', 'scheduleRun.fileName'])
      .select(['scheduleRun.mailedAt', 'scheduleRun.finishedAt'])
      .where('scheduleRun.runId', '=', runId)
      .executeTakeFirst();
  }

  async #sendRun(runId: string, mailer: Mailer): Promise<void> {
    const { registry, files } = this.#parts;
    const found = await this.#find(runId);
    if (found?.storedAs == null || found.fileName === null || found.mailedAt !== null) return;
    const file = await files.find(found.storedAs);
    if (file === undefined) throw new JobRefused('the file is not there any more');
    const { dueAt, fileName } = found;
    const attempt: Attempt = { mailer, sent: 0, failure: undefined, notes: new Set() };
    for (const { email, state } of await this.#recipientsOf(found)) {
      if (state === 'unconfirmed') attempt.notes.add('an address has not confirmed');
      else if (state === 'unsubscribed') attempt.notes.add('an address has unsubscribed');
      else await this.#sendFile(found, runId, { email, file, fileName, dueAt }, attempt);
    }
    await this.#askAll(found, undefined, attempt);
    const { sent, failure, notes } = attempt;
    const mailError = [...notes].join('; ') || null;
    const isOver = failure === undefined || failure.isPermanent;
    await changeRun(registry, runId, {
      mailError,
      ...(isOver && sent > 0 && { mailedAt: this.#now }),
    });
    this.#postpone(attempt, found.finishedAt!);
  }

  #recipientsOf({ organisationId, emails }: Sender) {
    const { registry, domains } = this.#parts;
    return recipientsOf(registry.records, organisationId, JSON.parse(emails), domains);
  }

  #basisOf(sender: Sender, channels: readonly number[]): Basis {
    const calls = callsOfSchedule(sender.operation, this.#parts.operationOf);
    return { ...sender, channels, ofUser: null, calls };
  }

  /**
   * Sends a file to one address, unless its recipient has lost the right to it or it was sent
   * already.
   */
  async #sendFile(
    sender: Sender,
    runId: string,
    sending: { email: string; file: StoredFile; fileName: string; dueAt: number },
    attempt: Attempt,
  ): Promise<void> {
    const { registry, links, pageUrl } = this.#parts;
    const basis = this.#basisOf(sender, await channelsOfRun(registry, runId));
    const withdrawal = await withdrawalOf(registry, basis, this.#now);
    if (withdrawal !== undefined) throw new JobRefused(withdrawal);
    await this.#send(sender, sending.email, runId, attempt, (recipientId, messageId) =>
      sendRun(attempt.mailer, {
        ...sending,
        dueAt: new Date(sending.dueAt),
        messageId,
        pageUrl,
        name: sender.name,
        organisation: sender.organisation,
        unsubscribeUrl: links.mint('unsubscribe', recipientId),
      }),
    );
  }

  /**
   * Asks unconfirmed recipients to confirm: once, or again if the last request is older than a
   * time.
   */
  async #askAll(sender: Sender, again: number | undefined, attempt: Attempt): Promise<void> {
    const { registry, links } = this.#parts;
    for (const { email, state } of await this.#recipientsOf(sender)) {
      if (state !== 'unconfirmed') continue;
      const basis = this.#basisOf(sender, []);
      if ((await withdrawalOf(registry, basis, this.#now)) !== undefined) return;
      const { organisationId, organisation } = sender;
      const { askedAt } = await openRecipient(registry.records, organisationId, email, this.#now);
      if (askedAt !== null && (again === undefined || askedAt > again)) continue;
      await this.#send(sender, email, null, attempt, async (recipientId, messageId) => {
        await sendConfirmation(attempt.mailer, {
          messageId,
          email,
          organisation,
          confirmUrl: links.mint('confirm', recipientId),
          unsubscribeUrl: links.mint('unsubscribe', recipientId),
        });
        await changeRecipient(registry, recipientId, { askedAt: this.#now });
      });
    }
  }

  /** Counts an e-mail and sends it. */
  async #send(
    { organisationId, keyId, madeFrom, userId }: Sender,
    email: string,
    runId: string | null,
    attempt: Attempt,
    send: (recipientId: string, messageId: string) => Promise<void>,
  ): Promise<void> {
    const { registry, limits } = this.#parts;
    const { records } = registry;
    const { recipientId } = await openRecipient(records, organisationId, email, this.#now);
    const sender = madeFrom ?? keyId ?? `user:${userId}`;
    const message = { organisationId, recipientId, runId, sender };
    const counted = await countMessage(registry, message, limits, this.#now);
    if ('refusal' in counted) {
      attempt.notes.add(counted.refusal);
      return;
    }
    try {
      if (!counted.isSent) await send(recipientId, counted.messageId);
      await noteSent(registry, counted.messageId, this.#now);
      if (runId !== null) attempt.sent++;
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      attempt.notes.add(error.message);
      // A failure that may pass is retried, whatever happened to the others.
      if (attempt.failure?.isPermanent !== false) attempt.failure = error;
    }
  }

  /** Has the job retried if a failure may pass. */
  #postpone({ sent, failure }: Attempt, since: number): void {
    if (failure === undefined) return;
    const tried = this.#now - since;
    if (!failure.isPermanent && tried <= triedFor)
      throw new JobPostponed(Math.min(Math.max(tried, pauseMin), pauseMax));
    if (sent === 0) throw new JobRefused(failure.message, failure);
  }
}

/** The organisation and the sender of the e-mails. */
type Sender = {
  readonly organisationId: string;
  readonly organisation: string;
  readonly userId: string;
  readonly madeFrom: string | null;
  readonly operation: string;
  readonly keyId: string | null;
  readonly name: string;
  readonly emails: string;
};
