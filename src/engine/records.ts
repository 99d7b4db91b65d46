/**
 * The records of the registry. Columns are snake case in the store and camel case here. Instants
 * are epoch milliseconds, flags 0 or 1, structured values JSON text: the same on SQLite and
 * PostgreSQL.
 */

import type { Generated } from 'kysely';
import type { ReportFormat, ReportType } from '../contract/reports.ts';
import type { Role } from '../contract/roles.ts';
import type { ChannelAccessRecord, ChannelRecord, TaxRateRecord } from './channelRecords.ts';
import type { MailMessageRecord, MailRecipientRecord } from './mailRecords.ts';
import type {
  ScheduleRecord,
  ScheduleRunChannelRecord,
  ScheduleRunRecord,
} from './scheduleRecords.ts';
import type { ChannelAlertRecord, WebhookDeliveryRecord, WebhookRecord } from './webhookRecords.ts';

export type * from './channelRecords.ts';
export type * from './mailRecords.ts';
export type * from './scheduleRecords.ts';
export type * from './webhookRecords.ts';

/** 0 for no, 1 for yes. */
export type Flag = 0 | 1;

/** An organisation with its plan and entitlements. */
export type OrganisationRecord = {
  organisationId: string;
  name: string;
  plan: 'standard' | 'enterprise';
  apiAccess: Flag;
  searchQueryPerformance: Flag;
  /** The maximum number of products in one Search Query Performance answer. */
  searchQueryProductMax: number;
  createdAt: number;
};

/** A user. Unless restricted, owners and administrators may access all channels. */
export type UserRecord = {
  userId: string;
  organisationId: string;
  /** Trimmed and in lower case, unique. */
  email: string;
  role: Role;
  passwordHash: string | null;
  /** 1 if the user may access only the channels of `channelAccess`. */
  restricted: Flag;
  createdAt: number;
  /** The name that the user has chosen; null if there is none. */
  name: string | null;
  /** When the user last signed in or chose a password by a link; null before the first time. */
  lastSignInAt: number | null;
};

/** An API key: its keyed hash in `lookup`, its end in `hint`, its encrypted copy in `sealed`. */
export type ApiKeyRecord = {
  keyId: string;
  userId: string;
  name: string;
  lookup: string;
  hint: string;
  sealed: string;
  perSecond: number;
  burst: number;
  perDay: number;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
  /** JSON of its grants; null if it allows everything. */
  grants: string | null;
  /** JSON of the networks that may use it; null for all. */
  addresses: string | null;
  /** 1 if it may access only the channels of `keyChannel`. */
  restricted: Flag;
  /** The key from which its user made it; null for a key that the operator issued. */
  madeFrom: string | null;
};

/** A channel that a key may access. */
export type KeyChannelRecord = { keyId: string; channelNumber: number };

/** The installation of the registry, once it is known. */
export type InstallationRecord = { rowNumber: 1; installationId: string };

/** An import. Its number is greater than the number of every earlier one, and part of its facts. */
export type ImportRecord = {
  importId: Generated<number>;
  /** The dataset named in the call, or the recognised document kind; "" until it is known. */
  dataset: string;
  channelNumber: number | null;
  state: 'running' | 'done' | 'failed' | 'undone';
  startedAt: number;
  finishedAt: number | null;
  rowsRead: number;
  rowsAccepted: number;
  rowsRejected: number;
  /** Rows that a later row of the document with the same key replaced. */
  rowsMerged: number;
  /** Rows that are right but not counted. These four counts add up to the rows read. */
  rowsSkipped: number;
  /** Skipped rows that belong to other stores. */
  otherStores: number;
  /** The version of the reader of documents; null before reading was numbered. */
  reading: number | null;
  /** The encoding of the document; null if it is unknown, as for spreadsheets. */
  encoding: string | null;
  /** Amounts with more than six decimals, which were rounded. */
  rounded: number;
  /** The first covered date, `YYYY-MM-DD`; null, like `lastDate`, if there is none. */
  firstDate: string | null;
  lastDate: string | null;
  /** The number of multi-day rows, which count on their last day. */
  rowsCoarse: number;
  /** Why it failed, for the operator. */
  error: string | null;
  /** JSON of the document's summary; null if its kind has none. */
  summary: string | null;
  /** SHA-256 of the body as it was received, in hexadecimal digits; null if it is unknown. */
  documentHash: string | null;
  /** The size of the body as it was received. */
  documentBytes: number | null;
  /** The media type that the sender named. */
  mediaType: string | null;
  /** The file name that the sender named. */
  fileName: string | null;
  /** JSON of the covered dates by table; null before the document has been read. */
  coverage: string | null;
};

/** A rejected row. Line 0 stands for the whole document. */
export type ImportRejectionRecord = {
  rejectionId: Generated<number>;
  importId: number;
  line: number;
  reason: string;
};

/** An entry of the audit log, which only grows. */
export type AuditEntryRecord = {
  auditId: Generated<number>;
  at: number;
  /** "operator" or a user ID. */
  actor: string;
  /** The name of the operation. */
  action: string;
  /** The changed thing. */
  subject: string;
  /** JSON without secrets. */
  detail: string;
};

/** A tag of a channel: from a user, or from the whole organisation if `userId` is null. */
export type ChannelTagRecord = { channelNumber: number; userId: string | null; tag: string };

/** A group of products or brands of one channel. */
export type CustomGroupRecord = {
  groupId: Generated<number>;
  channelNumber: number;
  groupName: string;
  kind: 'products' | 'brands';
  createdAt: number;
  updatedAt: number;
};

/** A SKU or brand in a custom group. The numbers preserve the order of the request. */
export type CustomGroupEntryRecord = { entryId: Generated<number>; groupId: number; entry: string };

/** A group of campaigns of one organisation. */
export type CampaignGroupRecord = {
  campaignGroupId: string;
  organisationId: string;
  name: string;
  createdAt: number;
  updatedAt: number;
};

/** A campaign of a campaign group, with its identifier in the advertising console. */
export type CampaignGroupCampaignRecord = { campaignGroupId: string; campaignId: string };

/** The requests of a key for one operation on one UTC day. */
export type KeyUsageRecord = {
  keyId: string;
  /** Days since 1970-01-01. */
  day: number;
  operation: string;
  /** All requests, including failed ones. */
  requests: number;
  /** Answered with a status of 400 to 499, but not 429. */
  refused: number;
  /** Answered with 429. */
  limited: number;
  /** Answered with a status of 500 or more. */
  failed: number;
};

/** An idempotent request, stored for as long as its answer can be repeated. */
export type IdempotentRequestRecord = {
  /** `user:` with a user ID, `operator:` with an operator ID, or `operator`. */
  owner: string;
  /** A keyed hash of the header. */
  keyHash: string;
  /** A keyed hash of the input. */
  fingerprint: string;
  /** Identifies the attempt that may complete the request. */
  attempt: string;
  /** The sealed answer; null while the request runs. */
  answer: string | null;
  startedAt: number;
};

/** A job: work that one worker of any node does later. */
export type JobRecord = {
  /** Rises with every job. Within a channel, a later job always has a greater number. */
  sequence: Generated<number>;
  /** Cannot be guessed. */
  jobId: string;
  kind: string;
  channelNumber: number;
  organisationId: string;
  /** The user who requested it; null if that user was deleted. */
  userId: string | null;
  /** Its owner within the organisation: a key, a webhook or a schedule. */
  owner: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** JSON of the input. */
  payload: string;
  /** JSON of the result. */
  result: string | null;
  /** Why it failed, for the user. */
  error: string | null;
  createdAt: number;
  /** When it was first taken. */
  startedAt: number | null;
  finishedAt: number | null;
  /** The number of attempts, except attempts during which a store was unavailable. */
  attempts: number;
  /** The last worker that took it. */
  worker: string | null;
  /** No other worker may take it earlier: it is running, or pauses after an attempt. */
  leaseUntil: number;
};

/** A requested report. Equal requests at the same time share a job. */
export type ReportRecord = {
  /** Cannot be guessed. Equals `jobId` for the first report of the job. */
  reportId: string;
  jobId: string;
  /** The user who requested it; null if that user was deleted. */
  userId: string | null;
  reportType: ReportType;
  format: ReportFormat;
  /** JSON of the options. */
  options: string;
  createdAt: number;
};

/** A channel of a job's report other than the channel of the job. */
export type ReportChannelRecord = { jobId: string; channelNumber: number };

/** A financial code that an operator added, with its line of the profit and loss. */
export type FinanceCodeRecord = {
  source: string;
  type: string;
  component: string;
  code: string;
  line: string;
  createdAt: number;
  updatedAt: number;
};

/** A browser that is signed in to the account pages. */
export type SessionRecord = {
  /** Public: identifies the session in the list, and to end it. */
  sessionId: string;
  userId: string;
  /** The keyed hash of the browser's token. */
  lookup: string;
  /** Short name of the browser and its system. */
  browser: string;
  createdAt: number;
  lastSeenAt: number;
  /** When the password was last entered. */
  confirmedAt: number;
};

/** A link with which a user sets a password once. A user has at most one. */
export type PasswordLinkRecord = {
  linkId: string;
  userId: string;
  /** The keyed hash of the link's token. */
  lookup: string;
  purpose: 'invitation' | 'reset';
  createdAt: number;
  expiresAt: number;
};

/** An operator with its own token. */
export type OperatorRecord = {
  operatorId: string;
  name: string;
  /** JSON of the list of scopes. */
  scopes: string;
  /** The keyed hash of the token. */
  lookup: string;
  /** The keyed hash of the previous token. */
  previousLookup: string | null;
  /** Until when the previous token is valid. */
  previousUntil: number | null;
  createdAt: number;
};

/** The second factor of a user. */
export type SecondFactorRecord = {
  userId: string;
  /** The sealed secret of the authenticator app. */
  sealed: string;
  createdAt: number;
  /** When its first code was entered; null before that. */
  confirmedAt: number | null;
  /** The time step of the last code that was used. */
  lastStep: number;
};

/** A code that a user may enter once instead of a code of the authenticator app. */
export type RecoveryCodeRecord = {
  /** The keyed hash of the code. */
  lookup: string;
  userId: string;
};

/** The installation key, sealed so that a secret of the operator opens it. */
export type InstallationKeyRecord = {
  /** A keyed hash of the secret, which finds this record. */
  lookup: string;
  sealed: string;
  createdAt: number;
};

/** A recent request of a key. */
export type RecentRequestRecord = {
  requestNumber: Generated<number>;
  keyId: string;
  /** When it was answered. */
  at: number;
  operation: string;
  status: number;
  /** The message of its refusal or failure. */
  reason: string | null;
  /** How long the answer took. */
  microseconds: number;
  requestId: string;
};

/** Every table of the registry. Columns are snake case in the store and camel case here. */
export type Records = {
  organisation: OrganisationRecord;
  userAccount: UserRecord;
  apiKey: ApiKeyRecord;
  channel: ChannelRecord;
  channelAccess: ChannelAccessRecord;
  keyChannel: KeyChannelRecord;
  installation: InstallationRecord;
  import: ImportRecord;
  importRejection: ImportRejectionRecord;
  auditEntry: AuditEntryRecord;
  channelTag: ChannelTagRecord;
  taxRate: TaxRateRecord;
  customGroup: CustomGroupRecord;
  customGroupEntry: CustomGroupEntryRecord;
  campaignGroup: CampaignGroupRecord;
  campaignGroupCampaign: CampaignGroupCampaignRecord;
  keyUsage: KeyUsageRecord;
  idempotentRequest: IdempotentRequestRecord;
  job: JobRecord;
  report: ReportRecord;
  reportChannel: ReportChannelRecord;
  financeCode: FinanceCodeRecord;
  /** The line of a code that no list contains. */
  namedCode: Pick<FinanceCodeRecord, 'source' | 'code' | 'line' | 'updatedAt'> & {
    organisationId: string;
  };
  session: SessionRecord;
  passwordLink: PasswordLinkRecord;
  recentRequest: RecentRequestRecord;
  installationKey: InstallationKeyRecord;
  operator: OperatorRecord;
  secondFactor: SecondFactorRecord;
  recoveryCode: RecoveryCodeRecord;
  schedule: ScheduleRecord;
  scheduleRun: ScheduleRunRecord;
  scheduleRunChannel: ScheduleRunChannelRecord;
  mailRecipient: MailRecipientRecord;
  mailMessage: MailMessageRecord;
  webhook: WebhookRecord;
  webhookDelivery: WebhookDeliveryRecord;
  channelAlert: ChannelAlertRecord;
};
