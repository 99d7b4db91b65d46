/** The settings of e-mail. */
import type { SettingSource } from './source.ts';

/** The server that takes e-mails, and their sender. */
export type SmtpSettings = {
  /** Such as smtps://user:password@mail.example.com. */
  readonly url: string;
  /** The address of the sender. */
  readonly from: string;
  /** The only trusted certificates, in PEM; those of Node.js by default. */
  readonly authorities?: string | undefined;
};

/** Reads the domains whose addresses need not confirm; undefined where no e-mails are sent. */
export function readMailDomains(
  source: SettingSource,
  mail: SmtpSettings | undefined,
): readonly string[] | undefined {
  const listed = (source.text('VITRINE_MAIL_DOMAINS') ?? '').toLowerCase().split(',');
  const domains = listed.map((domain) => domain.trim()).filter((domain) => domain !== '');
  if (domains.some((domain) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain)))
    source.problems.push('VITRINE_MAIL_DOMAINS must be domains such as acme.com, acme.co.uk');
  return mail && domains;
}

/** Reads where e-mails go; undefined where none are sent. */
export function readMail(source: SettingSource, authorities?: string): SmtpSettings | undefined {
  const url = source.url('VITRINE_SMTP_URL', ['smtp:', 'smtps:'], 'smtps://mail.example.com');
  const from = source.text('VITRINE_SMTP_FROM');
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    source.problems.push('VITRINE_SMTP_URL and VITRINE_SMTP_FROM must be set together');
    return undefined;
  }
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(from)) {
    source.problems.push('VITRINE_SMTP_FROM must be an e-mail address');
    return undefined;
  }
  return { url, from, ...(authorities !== undefined && { authorities }) };
}
