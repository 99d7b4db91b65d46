/** A kind of document: how it is recognised, and how its parts become rows of datasets. */
import type { ImportSession } from '../session.ts';

/** Takes the parts of one document, one after the other. */
export type DocumentReader = {
  /** Takes a JSON value: the whole document, one line of it, or one of the rows that `rowsOf` finds in a `body`. */
  readonly value?: (value: unknown, line: number, body?: unknown) => void | Promise<void>;
  /** Takes the line above the header of a delimited text, where the kind recognises it. */
  readonly preface?: (line: string) => void;
  /** Takes a record of a delimited text, by the names of its header; of columns of one name the first tells. */
  readonly record?: (cells: Readonly<Record<string, string>>, line: number) => void;
  /** Takes the end. */
  readonly end?: () => Promise<void>;
};

/** A kind of document. */
export type DocumentKind = {
  readonly name: string;
  /** The document in the words of who downloads it. */
  readonly about: string;
  /** The datasets, or tables of facts of no dataset, that it feeds. */
  readonly tables: readonly string[];
  /** What its rows belong to. */
  readonly ofChannel: boolean;
  readonly recognises?: (value: unknown) => boolean;
  /** The rows of a JSON value that holds several, undefined where it is a row itself. */
  readonly rowsOf?: (value: unknown) => readonly unknown[] | undefined;
  readonly recognisesHeader?: (names: readonly string[]) => boolean;
  /** Whether the first line of a delimited text is not its header yet, but tells of the document. */
  readonly recognisesPreface?: (line: string) => boolean;
  /** Whether cells that are parted by tabs are never quoted, so that a quote among them is only a character. */
  readonly tabsUnquoted?: boolean;
  readonly read: (session: ImportSession) => DocumentReader;
};
