/** Sends the files of runs by e-mail. */
import type { SmtpSettings } from '../config.ts';
import type { StoredFile } from '../files/store.ts';
import { mediaTypeOf } from '../files/store.ts';

/** A larger file is not attached; the message names its link in the console instead. */
export const attachmentBytesMax = 10_000_000;
const sendMilliseconds = 30_000;
const [permanentMin, permanentMax] = [500, 599];

/** A message about a run. */
export type RunMail = {
  readonly runId: string;
  readonly name: string;
  readonly dueAt: Date;
  readonly emails: readonly string[];
  readonly fileName: string;
  readonly file: StoredFile;
  /** The page with the runs of all schedules. */
  readonly pageUrl: string;
};

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

/** Sends a message. Attempts at the same run have the same Message-ID. Throws MailFailure. */
export async function sendRun(settings: SmtpSettings, mail: RunMail): Promise<void> {
  // Loaded only here: most services send no e-mail.
  const { createTransport } = await import('nodemailer');
  const { runId, name, dueAt, emails, fileName, file, pageUrl } = mail;
  const isAttached = file.size <= attachmentBytesMax;
  const transport = createTransport({
    url: settings.url,
    connectionTimeout: sendMilliseconds,
    greetingTimeout: sendMilliseconds,
    socketTimeout: sendMilliseconds,
  });
  const domain = settings.from
    .split('@')
    .at(-1)!
    .replace(/[^\w.-]/g, '');
  const where = isAttached ? `The file ${fileName} is attached.` : `The file is large: ${pageUrl}`;
  try {
    await transport.sendMail({
      from: settings.from,
      // Recipients do not see one another.
      bcc: [...emails],
      to: 'undisclosed-recipients:;',
      subject: name.replaceAll(/[\r\n]+/g, ' '),
      text: `${name}\nDue ${dueAt.toISOString()}\n\n${where}\n`,
      messageId: `<${runId}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: isAttached
        ? [{ filename: fileName, content: await file.open(), contentType: mediaTypeOf(fileName) }]
        : [],
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } catch (error) {
    throw failureOf(error);
  } finally {
    transport.close();
  }
}

/** The errors of the library quote addresses, so only their codes are kept. */
function failureOf(error: unknown): MailFailure {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (responseCode !== undefined)
    return new MailFailure(
      `the mail server answered ${responseCode}`,
      responseCode >= permanentMin && responseCode <= permanentMax,
    );
  return new MailFailure(`the mail server cannot be reached (${code ?? 'unknown'})`, false);
}
