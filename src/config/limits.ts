/** The limits of one node: their defaults, variables and bounds. */

/** Limits of the stores and workers of one node. */
export type Limits = {
  /** Memory of DuckDB. */
  readonly duckdbMegabytes: number;
  /** Questions of requests and reports that a node's warehouse answers at the same time. */
  readonly questions: number;
  /** Questions of one organisation that it answers at the same time. */
  readonly organisationQuestions: number;
  /** Questions that wait. */
  readonly waitingQuestions: number;
  /** How long a question waits. */
  readonly questionWaitSeconds: number;
  /** Connections to ClickHouse. */
  readonly clickhouseConnections: number;
  /** Memory of one statement in ClickHouse. */
  readonly clickhouseMegabytes: number;
  /** Rows of an import that ClickHouse compares at a time. */
  readonly clickhousePassRows: number;
  /** Memory of cached answers. */
  readonly workingSetMegabytes: number;
  /** Disk of segments of facts by day. */
  readonly segmentsMegabytes: number;
  /** Connections to PostgreSQL, besides those of locks and rate limits. */
  readonly postgresConnections: number;
  /** How long a server of a store may be silent before requests are refused, in milliseconds. */
  readonly silenceMilliseconds: number;
  /** Documents that a node imports at the same time. */
  readonly imports: number;
  /** Memory of the thread that reads one document. */
  readonly importMegabytes: number;
  /** Disk for documents that clients send, until they have been imported. */
  readonly spoolMegabytes: number;
  /** Seconds, and seconds of processor time, in which a document of up to 10 MB must be read. */
  readonly importSeconds: number;
  readonly importProcessorSeconds: number;
  /** Free disk of the data folder below which a node is not ready; 0 for none. */
  readonly freeMegabytes: number;
  /** Reports that a node computes at the same time. */
  readonly reports: number;
  /** Reports of one organisation that all nodes compute at the same time. */
  readonly organisationReports: number;
  /** Custom groups of one organisation. */
  readonly organisationGroups: number;
  /** SKUs and brands in all of these groups. */
  readonly organisationGroupEntries: number;
  /** Tags on all channels of one organisation. */
  readonly organisationTags: number;
  /** Files of one organisation that are retained: of reports, and of runs of schedules. */
  readonly organisationRetainedReports: number;
  /** Unit costs of one organisation. */
  readonly organisationUnitCosts: number;
  /** Webhooks of one organisation. */
  readonly organisationWebhooks: number;
  /** Schedules of one organisation. */
  readonly organisationSchedules: number;
  /** Deliveries to webhooks of one organisation that wait. */
  readonly organisationWaitingDeliveries: number;
  /** E-mails within a day: of one key or user of the console, of one organisation, and of all. */
  readonly keyMails: number;
  readonly organisationMails: number;
  readonly mails: number;
  /** Stored answers to idempotent requests of one organisation. */
  readonly organisationAnswers: number;
  /** Days for which the usage of keys, imports, rejected rows and audit entries are retained. */
  readonly usageDays: number;
  readonly importDays: number;
  readonly rejectionDays: number;
  readonly auditDays: number;
  /** Days after which a session ends, and days without use after which it ends earlier. */
  readonly sessionDays: number;
  readonly sessionIdleDays: number;
  /** Connections of clients in all. */
  readonly connections: number;
  /** Connections of one address, unless it is a trusted proxy. */
  readonly addressConnections: number;
  /** Requests of one key whose answers the client has not read to their end. */
  readonly keyRequests: number;
  /** Seconds in which a node that is about to stop still takes requests. */
  readonly drainSeconds: number;
  /** Memory of JSON bodies that have not arrived yet. */
  readonly bodyMegabytes: number;
  /** Memory of answers that clients have not read yet. */
  readonly answerMegabytes: number;
};

/** The default limits. */
export const defaultLimits: Limits = {
  duckdbMegabytes: 384,
  questions: 4,
  organisationQuestions: 2,
  waitingQuestions: 400,
  questionWaitSeconds: 10,
  clickhouseConnections: 32,
  clickhouseMegabytes: 1000,
  clickhousePassRows: 1_000_000,
  workingSetMegabytes: 64,
  segmentsMegabytes: 1_000,
  postgresConnections: 10,
  silenceMilliseconds: 1_200,
  imports: 2,
  importMegabytes: 512,
  spoolMegabytes: 16_384,
  importSeconds: 1_200,
  importProcessorSeconds: 180,
  freeMegabytes: 64,
  reports: 4,
  organisationReports: 3,
  organisationGroups: 1_000,
  organisationGroupEntries: 100_000,
  organisationTags: 10_000,
  organisationRetainedReports: 2_000,
  organisationUnitCosts: 1_000_000,
  organisationWebhooks: 20,
  organisationSchedules: 50,
  organisationWaitingDeliveries: 5_000,
  keyMails: 100,
  organisationMails: 200,
  mails: 2_000,
  organisationAnswers: 20_000,
  usageDays: 400,
  importDays: 1_100,
  rejectionDays: 90,
  auditDays: 1_100,
  sessionDays: 30,
  sessionIdleDays: 7,
  connections: 4096,
  addressConnections: 256,
  keyRequests: 64,
  drainSeconds: 5,
  bodyMegabytes: 64,
  answerMegabytes: 64,
};

/** The default limits that differ with ClickHouse, which computes on machines of its own. */
export const servedLimits: Partial<Limits> = { questions: 16, organisationQuestions: 8 };

/** The variable of each limit, and the smallest and greatest value that it may have. */
export const limitVariables: Readonly<
  Record<keyof Limits, readonly [variable: string, min: number, max: number]>
> = {
  duckdbMegabytes: ['VITRINE_DUCKDB_MEGABYTES', 128, 1_048_576],
  questions: ['VITRINE_QUESTIONS', 1, 256],
  organisationQuestions: ['VITRINE_ORGANISATION_QUESTIONS', 1, 256],
  waitingQuestions: ['VITRINE_WAITING_QUESTIONS', 0, 100_000],
  questionWaitSeconds: ['VITRINE_QUESTION_WAIT_SECONDS', 1, 600],
  clickhouseConnections: ['VITRINE_CLICKHOUSE_CONNECTIONS', 1, 1_000],
  clickhouseMegabytes: ['VITRINE_CLICKHOUSE_MEGABYTES', 256, 1_048_576],
  clickhousePassRows: ['VITRINE_CLICKHOUSE_PASS_ROWS', 10_000, 1_000_000_000],
  workingSetMegabytes: ['VITRINE_WORKING_SET_MEGABYTES', 0, 1_048_576],
  segmentsMegabytes: ['VITRINE_SEGMENTS_MEGABYTES', 0, 1_048_576],
  postgresConnections: ['VITRINE_POSTGRES_CONNECTIONS', 2, 1_000],
  silenceMilliseconds: ['VITRINE_SILENCE_MILLISECONDS', 300, 600_000],
  imports: ['VITRINE_IMPORTS', 1, 64],
  importMegabytes: ['VITRINE_IMPORT_MEGABYTES', 128, 1_048_576],
  spoolMegabytes: ['VITRINE_SPOOL_MEGABYTES', 1, 16_777_216],
  importSeconds: ['VITRINE_IMPORT_SECONDS', 1, 604_800],
  importProcessorSeconds: ['VITRINE_IMPORT_PROCESSOR_SECONDS', 1, 604_800],
  freeMegabytes: ['VITRINE_FREE_MEGABYTES', 0, 1_000_000_000],
  reports: ['VITRINE_REPORTS', 1, 64],
  organisationReports: ['VITRINE_ORGANISATION_REPORTS', 1, 64],
  organisationGroups: ['VITRINE_ORGANISATION_GROUPS', 0, 100_000],
  organisationGroupEntries: ['VITRINE_ORGANISATION_GROUP_ENTRIES', 0, 10_000_000],
  organisationTags: ['VITRINE_ORGANISATION_TAGS', 0, 1_000_000],
  organisationRetainedReports: ['VITRINE_ORGANISATION_KEPT_REPORTS', 1, 1_000_000],
  organisationUnitCosts: ['VITRINE_ORGANISATION_UNIT_COSTS', 0, 100_000_000],
  organisationWebhooks: ['VITRINE_ORGANISATION_WEBHOOKS', 0, 1_000],
  organisationSchedules: ['VITRINE_ORGANISATION_SCHEDULES', 0, 1_000],
  organisationWaitingDeliveries: ['VITRINE_ORGANISATION_WAITING_DELIVERIES', 1, 1_000_000],
  keyMails: ['VITRINE_KEY_MAILS', 0, 1_000_000],
  organisationMails: ['VITRINE_ORGANISATION_MAILS', 0, 1_000_000],
  mails: ['VITRINE_MAILS', 0, 10_000_000],
  organisationAnswers: ['VITRINE_ORGANISATION_ANSWERS', 1, 10_000_000],
  usageDays: ['VITRINE_USAGE_DAYS', 31, 36_500],
  importDays: ['VITRINE_IMPORT_DAYS', 31, 36_500],
  rejectionDays: ['VITRINE_REJECTION_DAYS', 1, 36_500],
  auditDays: ['VITRINE_AUDIT_DAYS', 90, 36_500],
  sessionDays: ['VITRINE_SESSION_DAYS', 1, 365],
  sessionIdleDays: ['VITRINE_SESSION_IDLE_DAYS', 1, 365],
  connections: ['VITRINE_CONNECTIONS', 16, 100_000],
  addressConnections: ['VITRINE_ADDRESS_CONNECTIONS', 8, 100_000],
  keyRequests: ['VITRINE_KEY_REQUESTS', 1, 10_000],
  drainSeconds: ['VITRINE_DRAIN_SECONDS', 0, 600],
  bodyMegabytes: ['VITRINE_BODY_MEGABYTES', 8, 65_536],
  answerMegabytes: ['VITRINE_ANSWER_MEGABYTES', 8, 65_536],
};
