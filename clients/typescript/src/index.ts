/** The client of Vitrine. */
import type { CallOptions, Format, Paging } from './caller.ts';
import {
  type Answers,
  type CsvName,
  type Inputs,
  Operations,
  operations,
  type PagedName,
  pagings,
  type Rows,
} from './generated/operations.ts';
import { type FinishedReport, type ReportOptions, waitForReport } from './reports.ts';

export type { CallOptions } from './caller.ts';
export {
  AnswerError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  LimitError,
  MediaTypeError,
  NotFoundError,
  RedirectedError,
  RefusedError,
  ReportError,
  ReusedKeyError,
  ServiceError,
  SlowRequestError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  VitrineError,
} from './errors.ts';
export type {
  Answers,
  CsvName,
  Inputs,
  OperationName,
  PagedName,
  Rows,
} from './generated/operations.ts';
export type * from './generated/schemas.ts';
export type { FinishedReport, ReportOptions } from './reports.ts';
export type { AnswerNote, Clock, Settings } from './settings.ts';

/** An answer in CSV: its rows, and the fields beside them by their paths. */
export type CsvAnswer = { readonly csv: string; readonly envelope: URLSearchParams };

const csv: Format<CsvAnswer> = {
  accept: 'text/csv',
  read({ text, headers }) {
    const type = headers.get('content-type');
    if (!type?.startsWith('text/csv'))
      throw new Error(`the answer is ${type ?? 'of no type'}, and not CSV`);
    return { csv: text, envelope: new URLSearchParams(headers.get('vitrine-envelope') ?? '') };
  },
};

type Fields = Readonly<Record<string, unknown>>;

/** A client of one service with one key. */
export class Vitrine extends Operations {
  /** Reads the pages of a list one after another, from the page that the input names. */
  async *pages<Name extends PagedName>(
    name: Name,
    input: Inputs[Name],
    options?: CallOptions,
  ): AsyncGenerator<Answers[Name], void, undefined> {
    const [rows, total, sizeMax, path = '']: Paging = pagings[name];
    const given = (at(input, path) ?? {}) as Fields;
    let paging: Fields = { pageSize: sizeMax, ...given };
    let read = Number(given.pageIndex ?? 0) * Number(paging.pageSize);
    for (;;) {
      const fields = path === '' ? { ...input, ...paging } : { ...input, [path]: paging };
      const answer = await this.call<Answers[Name]>(name, operations[name], fields, options);
      yield answer;
      const count = (at(answer, rows) as readonly unknown[]).length;
      read += count;
      const key = (answer as { meta?: { key?: string } }).meta?.key;
      if (total === '' ? key === undefined : count === 0 || read >= Number(at(answer, total)))
        return;
      paging = total === '' ? { ...paging, key } : { ...paging, pageIndex: nextOf(paging) };
    }
  }

  /** Reads the rows of a list one after another, page by page. */
  async *rows<Name extends PagedName>(
    name: Name,
    input: Inputs[Name],
    options?: CallOptions,
  ): AsyncGenerator<Rows[Name], void, undefined> {
    const [path]: Paging = pagings[name];
    for await (const page of this.pages(name, input, options))
      yield* at(page, path) as readonly Rows[Name][];
  }

  /** Calls an operation whose rows may come as CSV. */
  async csv<Name extends CsvName>(
    name: Name,
    input: Inputs[Name],
    options: CallOptions = {},
  ): Promise<CsvAnswer> {
    return await this.ask(name, operations[name], input, options, csv);
  }

  /**
   * Waits until a report is done, and returns it ready for download. Throws a `ReportError` if it
   * cannot be made.
   */
  waitForReport(
    report: { readonly reportId: string },
    options: ReportOptions = {},
  ): Promise<FinishedReport> {
    const parts = {
      read: () => this.readReportStatus({ reportId: report.reportId }, options),
      wait: this.clock.wait,
      download: (address: string, own: CallOptions) =>
        this.send(
          { name: 'download', address, init: { headers: {} }, options: own },
          async (response) => response,
        ),
    };
    return waitForReport(parts, options);
  }
}

function nextOf({ pageIndex }: Fields): number {
  return Number(pageIndex ?? 0) + 1;
}

/** The value at a path of names with dots; the empty path is the value itself. */
function at(value: unknown, path: string): unknown {
  return path === ''
    ? value
    : path.split('.').reduce((one, name) => (one as Fields | undefined)?.[name], value);
}
