/**
 * The port through which the rooms report what they do, and the table of all metrics. A label has a
 * value out of few: the template of a route or the name of a dataset, never an identifier.
 */

/** A metric: its type, its meaning, and its labels. */
export type Metric = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[];
};

/** All metrics of the service, besides those of its process. */
export const metrics = {
  vitrine_build_info: {
    type: 'gauge',
    help: 'Always 1; the version of the program and its stores.',
    labels: ['version', 'registry', 'warehouse'],
  },
  vitrine_ready: {
    type: 'gauge',
    help: 'Whether a check of readiness passes.',
    labels: ['check'],
  },
  vitrine_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Requests by the template of their route, their method and the class of their status; abandoned if the client left first.',
    labels: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  },
  vitrine_http_requests_in_flight: {
    type: 'gauge',
    help: 'Requests without a complete answer.',
    labels: [],
  },
  vitrine_http_connections: {
    type: 'gauge',
    help: 'Open connections of clients.',
    labels: [],
  },
  vitrine_questions: {
    type: 'gauge',
    help: 'Questions to the warehouse, by who asks and whether they run or wait.',
    labels: ['asker', 'state'],
  },
  vitrine_question_refusals_total: {
    type: 'counter',
    help: 'Questions that were refused: the queue was full, the wait too long, or the client left.',
    labels: ['reason'],
  },
  vitrine_imports: {
    type: 'gauge',
    help: 'Imports whose document arrives, waits or is imported.',
    labels: ['state'],
  },
  vitrine_imports_ended_total: {
    type: 'counter',
    help: 'Imports that ended, by dataset or kind of document.',
    labels: ['dataset', 'outcome'],
  },
  vitrine_import_rows_total: {
    type: 'counter',
    help: 'Rows of ended imports, accepted or rejected.',
    labels: ['dataset', 'outcome'],
  },
  vitrine_jobs: {
    type: 'gauge',
    help: 'Jobs of all nodes that wait or run, by kind.',
    labels: ['kind', 'state'],
  },
  vitrine_jobs_ended_total: {
    type: 'counter',
    help: 'Attempts at jobs that ended on this node.',
    labels: ['kind', 'outcome'],
  },
  vitrine_working_set_bytes: {
    type: 'gauge',
    help: 'Memory of cached answers, estimated.',
    labels: [],
  },
  vitrine_working_set_lookups_total: {
    type: 'counter',
    help: 'Look-ups of whole answers and of rows in the working set.',
    labels: ['of', 'result'],
  },
  vitrine_segment_bytes: {
    type: 'gauge',
    help: 'Size of the segments of facts by day on this node.',
    labels: [],
  },
  vitrine_segment_reads_total: {
    type: 'counter',
    help: 'Reads of facts by day, by what answered and why.',
    labels: ['by', 'reason'],
  },
  vitrine_segment_errors_total: {
    type: 'counter',
    help: 'Segments that could not be read or written, or were damaged.',
    labels: ['of'],
  },
  vitrine_store_errors_total: {
    type: 'counter',
    help: 'Requests and work that failed because a store was unavailable.',
    labels: ['store'],
  },
} as const satisfies Readonly<Record<string, Metric>>;

type Metrics = typeof metrics;
type NameOf<Type extends Metric['type']> = {
  [Name in keyof Metrics]: Metrics[Name]['type'] extends Type ? Name : never;
}[keyof Metrics];

/** The values of the labels of a metric. */
export type LabelsOf<Name extends keyof Metrics> = Readonly<
  Record<Metrics[Name]['labels'][number], string>
>;

/** The values of a gauge at one moment, by their labels. */
export type Readings<Name extends keyof Metrics> = readonly (readonly [
  labels: LabelsOf<Name>,
  value: number,
])[];

/** The port. No method throws. */
export interface Meter {
  /** Adds to a counter, 1 by default. */
  add<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** Adds a value to a histogram. */
  observe<Name extends NameOf<'histogram'>>(
    name: Name,
    labels: LabelsOf<Name>,
    value: number,
  ): void;
  /** Says how a gauge is read, whenever somebody wants its values. */
  gauge<Name extends NameOf<'gauge'>>(
    name: Name,
    read: () => Readings<Name> | Promise<Readings<Name>>,
  ): void;
}

/** Counts nothing. */
export const silentMeter: Meter = { add() {}, observe() {}, gauge() {} };
