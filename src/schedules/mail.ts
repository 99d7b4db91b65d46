/** Sends files of runs, and requests to confirm an address, by e-mail. */
import type { SmtpSettings } from '../config.ts';
import type { StoredFile } from '../files/store.ts';
import { mediaTypeOf } from '../files/store.ts';

/** A larger file is not attached; the message links to it in the console instead. */
export const attachmentBytesMax = 10_000_000;
const sendMilliseconds = 30_000;
/** An idle connection ends after this time. */
const idleMilliseconds = 250;
const [permanentMin, permanentMax] = [500, 599];

/** The fields that all messages share. */
type Common = {
  /** The same for all attempts. */
  readonly messageId: string;
  readonly email: string;
  /** The name of the organisation that sends it. */
  readonly organisation: string;
  readonly unsubscribeUrl: string;
};

/** A message with the file of a run. */
export type RunMail = Common & {
  /** The name of the schedule. */
  readonly name: string;
  readonly dueAt: Date;
  readonly fileName: string;
  readonly file: StoredFile;
  /** The page with the runs of all schedules. */
  readonly pageUrl: string;
};

/** A message that requests a recipient's confirmation. */
export type ConfirmationMail = Common & { readonly confirmUrl: string };

/** The server refused the message; the text holds no address. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /** Whether another attempt is useless. */
  readonly isPermanent: boolean;

  constructor(text: string, isPermanent: boolean) {
    super(text);
    this.isPermanent = isPermanent;
  }
}

/** Sends e-mails one after another, over one connection if the server allows it. */
export type Mailer = {
  readonly from: string;
  readonly send: (message: object) => Promise<unknown>;
};

/** Opens a mailer, which connects for its first e-mail and need not be closed. */
export async function openMailer({ url, from, authorities }: SmtpSettings): Promise<Mailer> {
  // Loaded only here, because most services send no e-mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    ...(authorities !== undefined && { tls: { ca: authorities } }),
    // The job repeats attempts, because it knows what was sent.
    maxRequeues: 0,
    idleTimeout: idleMilliseconds,
    connectionTimeout: sendMilliseconds,
    greetingTimeout: sendMilliseconds,
    socketTimeout: sendMilliseconds,
  });
  return { from, send: (message) => transport.sendMail(message) };
}

/** Sends the file of a run. Subject and first line hold no text of a user. Throws MailFailure. */
export async function sendRun(mailer: Mailer, mail: RunMail): Promise<void> {
  const { name, dueAt, organisation, fileName, file, pageUrl } = mail;
  const isAttached = file.size <= attachmentBytesMax;
  const where = isAttached ? `The file ${fileName} is attached.` : `The file is large: ${pageUrl}`;
  await send(mailer, mail, {
    subject: `Scheduled file ${fileName}`,
    lines: [
      `This file comes from a schedule of ${oneLine(organisation)}.`,
      `${where}`,
      '',
      `The schedule: ${oneLine(name)}`,
      `Due ${dueAt.toISOString()}`,
    ],
    attachments: isAttached
      ? [{ filename: fileName, content: await file.open(), contentType: mediaTypeOf(fileName) }]
      : [],
  });
}

/** Requests a recipient's confirmation, without any text of a user. Throws MailFailure. */
export async function sendConfirmation(mailer: Mailer, mail: ConfirmationMail): Promise<void> {
  await send(mailer, mail, {
    subject: 'Confirm that you want scheduled files by e-mail',
    lines: [
      `${oneLine(mail.organisation)} wants to send you files of its schedules by e-mail.`,
      'Nothing is sent to you unless you confirm within seven days:',
      mail.confirmUrl,
    ],
    attachments: [],
  });
}

type Content = {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly attachments: readonly object[];
};

async function send(
  mailer: Mailer,
  { messageId, email, unsubscribeUrl }: Common,
  { subject, lines, attachments }: Content,
): Promise<void> {
  const domain = mailer.from
    .split('@')
    .at(-1)!
    .replace(/[^\w.-]/g, '');
  try {
    await mailer.send({
      from: mailer.from,
      // An object, because a text would be parsed as a list of addresses.
      to: { name: '', address: email },
      subject,
      text: `${[...lines, '', `To get no more of these: ${unsubscribeUrl}`].join('\n')}\n`,
      messageId: `<${messageId}@${domain}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        // RFC 8058: mail programs unsubscribe by one click.
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      attachments: [...attachments],
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } catch (error) {
    throw failureOf(error);
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** The library's errors quote addresses, so only their codes are stored. */
function failureOf(error: unknown): MailFailure {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (responseCode !== undefined)
    return new MailFailure(
      `the mail server answered ${responseCode}`,
      responseCode >= permanentMin && responseCode <= permanentMax,
    );
  return new MailFailure(`the mail server cannot be reached (${code ?? 'unknown'})`, false);
}
