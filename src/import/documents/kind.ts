/** A kind of document: how it is recognised, and how its parts become rows of datasets. */
import type { DocumentKindName } from '../../contract/importable.ts';
import type { ImportSession } from '../session.ts';

/** Takes the parts of one document, one after another. */
export type DocumentReader = {
  /** Takes a JSON value that contains rows, before these. Its long lists are cut short. */
  readonly body?: (body: unknown) => void;
  /**
   * Takes a JSON value: the whole document, one of its elements or lines, or a row of a body, with
   * the row's name in the body.
   */
  readonly value?: (value: unknown, line: number, name?: string) => void;
  /** Takes the line above the header of a delimited text, if `recognisesPreface` holds for it. */
  readonly preface?: (line: string) => void;
  /**
   * Takes a record of a delimited text, by the names of its header. Of columns with the same name,
   * the first counts.
   */
  readonly record?: (cells: Readonly<Record<string, string>>, line: number) => void;
  /** Takes the end. */
  readonly end?: () => Promise<void>;
};

/** A kind of document. */
export type DocumentKind = {
  readonly name: DocumentKindName;
  /** Describes the document in the terms of the site it is downloaded from. */
  readonly about: string;
  /** The datasets that it feeds, or tables of facts that belong to no dataset. */
  readonly tables: readonly string[];
  /** Whether its rows belong to a channel. */
  readonly ofChannel: boolean;
  /**
   * The columns or fields that identify it, each with its possible titles; one list per layout.
   * They show which kind an unrecognised document is closest to.
   */
  readonly marks?: readonly (readonly (readonly string[])[])[];
  /** The titles of all columns that it reads, if it is a table. */
  readonly titles?: readonly string[];
  /** Makes the titles of a header comparable with those of `marks`. */
  readonly title?: (written: string) => string;
  readonly recognises?: (value: unknown) => boolean;
  /**
   * Where a JSON value contains rows: the paths of lists or of single rows, in reading order.
   * Undefined if it is itself a row. Long lists are cut short.
   */
  readonly rowPaths?: (value: unknown) => readonly (readonly string[])[] | undefined;
  readonly recognisesHeader?: (names: readonly string[]) => boolean;
  /**
   * Whether the first line of a delimited text is not the header, but a line above it that
   * describes the document.
   */
  readonly recognisesPreface?: (line: string) => boolean;
  /**
   * Whether tab-separated cells are never quoted, so that a quote in them is an ordinary character.
   */
  readonly tabsUnquoted?: boolean;
  /** Whether cells may be missing at the end of a row: they are empty. */
  readonly mayBeShort?: boolean;
  readonly read: (session: ImportSession) => DocumentReader;
};
