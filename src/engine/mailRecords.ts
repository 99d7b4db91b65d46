/** The records of the recipients of e-mails, and of the e-mails to them. */

/** An address to which an organisation sends e-mails. */
export type MailRecipientRecord = {
  recipientId: string;
  organisationId: string;
  /** In lower case. */
  email: string;
  /** When it was last asked to confirm; null before that. */
  askedAt: number | null;
  confirmedAt: number | null;
  unsubscribedAt: number | null;
  createdAt: number;
};

/** An e-mail, which counts for the limits of a day. */
export type MailMessageRecord = {
  messageId: string;
  organisationId: string;
  recipientId: string;
  /** The key, or `user:` and the identifier of the user of the console. */
  sender: string;
  /** The run whose file it holds; null for a request to confirm. */
  runId: string | null;
  createdAt: number;
  /** When the server took it. */
  sentAt: number | null;
};
