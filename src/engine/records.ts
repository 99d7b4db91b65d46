/**
 * The records of the registry. Columns are snake case in the store and camel case here. Instants are
 * epoch milliseconds, flags 0 or 1, structured values JSON text: the same on SQLite and PostgreSQL.
 */
import type { Generated } from 'kysely';
import type { ReportType } from '../contract/reports.ts';

/** 0 for no, 1 for yes. */
export type Flag = 0 | 1;

/** An organisation, its plan and what it is entitled to. */
export type OrganisationRecord = {
  organisationId: string;
  name: string;
  plan: 'standard' | 'enterprise';
  apiAccess: Flag;
  searchQueryPerformance: Flag;
  /** How many products one Search Query Performance answer may hold. */
  searchQueryProductMax: number;
  createdAt: number;
};

/** A person of one organisation. Owners and administrators reach every channel of it unless they are restricted. */
export type UserRecord = {
  userId: string;
  organisationId: string;
  /** Trimmed and in lower case, unique. */
  email: string;
  role: 'owner' | 'administrator' | 'member';
  passwordHash: string | null;
  /** 1 where only the channels of channelAccess may be reached. */
  restricted: Flag;
  createdAt: number;
};

/** A key. The key itself is in no column: `lookup` is its keyed hash, `sealed` its encrypted copy for the account page. */
export type ApiKeyRecord = {
  keyId: string;
  userId: string;
  lookup: string;
  sealed: string;
  perSecond: number;
  burst: number;
  perDay: number;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
};

/** A connected store. `channelNumber` is what its facts carry in the warehouse. */
export type ChannelRecord = {
  channelNumber: Generated<number>;
  channelId: string;
  organisationId: string;
  merchantId: string;
  marketplace: string;
  kind: 'seller' | 'vendor';
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  displayName: string;
  /** ISO 4217. */
  currency: string;
  /** IANA zone of the store's calendar days. */
  timezone: string;
  hasAdvertisingConnected: Flag;
  leadTimeDays: number;
  safetyStockDays: number;
  targetCoverDays: number;
  createdAt: number;
  updatedAt: number;
};

/** Which restricted user may reach which channel. */
export type ChannelAccessRecord = { userId: string; channelNumber: number };

/** One import, from its first byte to its end. Its number rises with every import and is carried by every fact that it brought. */
export type ImportRecord = {
  importId: Generated<number>;
  /** The dataset named in the call, or the kind of document that was recognised ("" until it is). */
  dataset: string;
  channelNumber: number | null;
  state: 'running' | 'done' | 'failed';
  startedAt: number;
  finishedAt: number | null;
  rowsRead: number;
  rowsAccepted: number;
  rowsRejected: number;
  /** First and last date that the import covers, `YYYY-MM-DD`, null where it has none. */
  firstDate: string | null;
  lastDate: string | null;
  /** The number of rows that cover several days and were booked on the last of them. */
  rowsCoarse: number;
  /** Why it failed, in words for the operator. */
  error: string | null;
  /** JSON of what the document came to, null where its kind has nothing to tell. */
  summary: string | null;
};

/** A row that an import refused. Line 0 stands for the document as a whole. */
export type ImportRejectionRecord = {
  rejectionId: Generated<number>;
  importId: number;
  line: number;
  reason: string;
};

/** Who did what, when. Rows are only ever added. */
export type AuditEntryRecord = {
  auditId: Generated<number>;
  at: number;
  /** "operator", or a user id. */
  actor: string;
  /** The operation, as the operator API names it. */
  action: string;
  /** What it was done to. */
  subject: string;
  /** JSON; never holds a secret. */
  detail: string;
};

/** A tag of a channel: its user's own, or shared by the whole organisation where it has none. */
export type ChannelTagRecord = { channelNumber: number; userId: string | null; tag: string };

/** A group of products or of brands of one channel. */
export type CustomGroupRecord = {
  groupId: Generated<number>;
  channelNumber: number;
  groupName: string;
  kind: 'products' | 'brands';
  createdAt: number;
  updatedAt: number;
};

/** A product's SKU or a brand's name in a custom group; the order of their numbers is that in which they were given. */
export type CustomGroupEntryRecord = { entryId: Generated<number>; groupId: number; entry: string };

/** A group of campaigns of one organisation. */
export type CampaignGroupRecord = {
  campaignGroupId: string;
  organisationId: string;
  name: string;
  createdAt: number;
  updatedAt: number;
};

/** A campaign of a campaign group, by the identifier that the advertising console gives it. */
export type CampaignGroupCampaignRecord = { campaignGroupId: string; campaignId: string };

/** How often a key asked for an operation on a day of UTC. */
export type KeyUsageRecord = {
  keyId: string;
  /** Days since 1970-01-01. */
  day: number;
  operation: string;
  /** All requests, whatever came of them. */
  requests: number;
  /** Answered with a status of 400 to 499, but not 429. */
  refused: number;
  /** Answered with 429. */
  limited: number;
  /** Answered with a status of 500 or more. */
  failed: number;
};

/** A call with an Idempotency-Key, from its beginning until its answer is no longer repeated. */
export type IdempotentRequestRecord = {
  /** `user:` and a userId, or `operator`. */
  owner: string;
  /** A keyed hash of the header. */
  callKey: string;
  /** A keyed hash of what was asked. */
  fingerprint: string;
  /** Which attempt at the call is allowed to complete it. */
  attempt: string;
  /** The answer, sealed; null as long as the call runs. */
  answer: string | null;
  startedAt: number;
};

/** Work that was taken on and is done by whichever process has time for it, once. */
export type JobRecord = {
  /** Rises with every job; of one channel, a later job always has the greater number. */
  sequence: Generated<number>;
  /** Unguessable. */
  jobId: string;
  kind: string;
  channelNumber: number;
  organisationId: string;
  /** Who asked for it, null where the user has been deleted. */
  userId: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** JSON of what is to be done. */
  payload: string;
  /** JSON of what it came to. */
  result: string | null;
  /** Why it failed, in words for whoever asked. */
  error: string | null;
  createdAt: number;
  /** When it was first taken. */
  startedAt: number | null;
  finishedAt: number | null;
  /** How often it was taken, but for those times when a store was away. */
  attempts: number;
  /** Who took it last. */
  worker: string | null;
  /** Until then nobody else may take it: its worker has it, or it rests after an attempt. */
  leaseUntil: number;
};

/** A report that a user asked for. Reports that were asked for in the same words at the same time share a job. */
export type ReportRecord = {
  /** Unguessable; that of the job where the report is the one that the job was added for. */
  reportId: string;
  jobId: string;
  userId: string;
  reportType: ReportType;
  /** JSON of the options. */
  asked: string;
  createdAt: number;
};

/** A financial code that an operator added to the list, with the line of the profit and loss that it belongs to. */
export type FinanceCodeRecord = {
  source: string;
  type: string;
  component: string;
  code: string;
  line: string;
  createdAt: number;
  updatedAt: number;
};

/** Somebody who is signed in to the account pages, by one browser. */
export type SessionRecord = {
  /** Public: by it the session is listed and ended. */
  sessionId: string;
  userId: string;
  /** The keyed hash of the token that the browser holds. */
  lookup: string;
  /** Short name of browser and system. */
  browser: string;
  createdAt: number;
  lastSeenAt: number;
  /** When the password was last entered. */
  confirmedAt: number;
};

/** A link by which a user chooses a password, once. A user has one at most. */
export type PasswordLinkRecord = {
  linkId: string;
  userId: string;
  /** The keyed hash of the token in the link. */
  lookup: string;
  purpose: 'invitation' | 'reset';
  createdAt: number;
  expiresAt: number;
};

/** One of the last requests of a key. */
export type RecentRequestRecord = {
  requestNumber: Generated<number>;
  keyId: string;
  /** When it was answered. */
  at: number;
  operation: string;
  status: number;
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
  import: ImportRecord;
  importRejection: ImportRejectionRecord;
  auditEntry: AuditEntryRecord;
  channelTag: ChannelTagRecord;
  customGroup: CustomGroupRecord;
  customGroupEntry: CustomGroupEntryRecord;
  campaignGroup: CampaignGroupRecord;
  campaignGroupCampaign: CampaignGroupCampaignRecord;
  keyUsage: KeyUsageRecord;
  idempotentRequest: IdempotentRequestRecord;
  job: JobRecord;
  report: ReportRecord;
  financeCode: FinanceCodeRecord;
  session: SessionRecord;
  passwordLink: PasswordLinkRecord;
  recentRequest: RecentRequestRecord;
};
