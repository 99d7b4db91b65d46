/** The records of e-mail recipients, and of the e-mails to them. */

/** An address to which an organisation sends e-mails. */
export type MailRecipientRecord = {
  recipientId: string;
  organisationId: string;
  /** In lower case. */
  email: string;
  /** When the last request to confirm was sent; null before the first one. */
  askedAt: number | null;
  confirmedAt: number | null;
  unsubscribedAt: number | null;
  createdAt: number;
};

/** An e-mail, which counts towards the limits of a day. */
export type MailMessageRecord = {
  messageId: string;
  organisationId: string;
  recipientId: string;
  /** The key, or `user:` and the identifier of the console's user. */
  sender: string;
  /** The run whose file it contains; null for a request to confirm. */
  runId: string | null;
  createdAt: number;
  /** When the mail server accepted it. */
  sentAt: number | null;
};
