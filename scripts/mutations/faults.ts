/** Small faults that a seed chooses from the syntax trees of the sources. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** A fault: a piece of a source file and the text that takes its place. */
export type Fault = {
  /** Stays the same as long as the piece and the file's name stay the same. */
  readonly id: string;
  readonly room: string;
  /** Relative to the root. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The piece, as offsets in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly original: string;
  readonly replacement: string;
};

/** The rooms whose faults are tried, with their files; questions in SQL are a room of their own. */
const rooms: Readonly<Record<string, string>> = {
  engine: 'src/engine/**/*.ts',
  report: 'src/report/**/*.ts',
  endpoints: 'src/endpoints/**/*.ts',
  access: 'src/access/**/*.ts',
  import: 'src/import/**/*.ts',
  http: 'src/http/**/*.ts',
  console: 'src/console/{advertising,charts,inventory,overview,profit,search,targets,view}/*.ts',
  questions: '{src,schema/warehouse}/**/*.sql',
};

/** Kinds of the library that are small: one operator, condition, constant or call. */
const smallKinds = new Set([
  'ArithmeticOperator',
  'AssignmentOperator',
  'BooleanLiteral',
  'ConditionalExpression',
  'EqualityOperator',
  'LogicalOperator',
  'MethodExpression',
  'OptionalChaining',
  'Regex',
  'UnaryOperator',
  'UpdateOperator',
]);

/** Faults of SQL: an operator and another in its place. */
const sqlFaults: readonly (readonly [RegExp, string])[] = [
  [/(?<= )\+(?= )/g, '-'],
  [/(?<= )-(?= )/g, '+'],
  [/(?<= )\*(?= )/g, '/'],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>=(?= )/g, '>'],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )=(?= )/g, '<>'],
  [/(?<= )<>(?= )/g, '='],
  [/\bAND\b/g, 'OR'],
  [/\bOR\b/g, 'AND'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bsum(?=\()/g, 'max'],
  [/\bmin(?=\()/g, 'max'],
  [/\bmax(?=\()/g, 'min'],
  [/\bLEFT JOIN\b/g, 'JOIN'],
];

/**
 * Chooses a number of faults of each room. Each fault has a rank from the seed and its own text, so
 * a change elsewhere in its file changes nothing. A file gets at most two.
 */
export async function chooseFaults(root: string, seed: string, perRoom: number): Promise<Fault[]> {
  const chosen: Fault[] = [];
  for (const [room, pattern] of Object.entries(rooms)) {
    const ranked = globSync(pattern, { cwd: root })
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .map((file) => ({ file, rank: digest(seed, file) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1));
    const found: Fault[] = [];
    for (const { file } of ranked) {
      if (found.length >= perRoom) break;
      const faults = await faultsOf(root, room, file, seed);
      found.push(...faults.slice(0, Math.min(2, perRoom - found.length)));
    }
    chosen.push(...found);
  }
  return chosen;
}

/** The faults of a file, by rank. */
async function faultsOf(root: string, room: string, file: string, seed: string): Promise<Fault[]> {
  const text = readFileSync(join(root, file), 'utf8');
  const pieces = file.endsWith('.sql') ? sqlPieces(text) : await codePieces(file, text);
  const counts = new Map<string, number>();
  return pieces
    .map((piece) => {
      const original = text.slice(piece.start, piece.end);
      const same = [file, piece.kind, lineText(text, piece.start), piece.replacement].join('\0');
      const count = counts.get(same) ?? 0;
      counts.set(same, count + 1);
      const line = text.slice(0, piece.start).split('\n').length;
      return { id: digest(seed, same, String(count)), room, file, line, original, ...piece };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

type Piece = Pick<Fault, 'start' | 'end' | 'kind' | 'replacement'>;

function sqlPieces(text: string): Piece[] {
  const isComment = (at: number) => lineText(text, at).trimStart().startsWith('--');
  return sqlFaults.flatMap(([pattern, replacement]) =>
    [...text.matchAll(pattern)]
      .filter((match) => !isComment(match.index))
      .map(({ index, 0: { length } }) => {
        return { kind: 'Sql', start: index, end: index + length, replacement };
      }),
  );
}

async function codePieces(file: string, text: string): Promise<Piece[]> {
  const { mutants } = await new Instrumenter(silent).instrument(
    [{ name: file, content: text, mutate: true }],
    { excludedMutations: [], ignorers: [], plugins: null },
  );
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = (at: { line: number; column: number }) => starts[at.line]! + at.column;
  return mutants
    .filter(({ mutatorName }) => smallKinds.has(mutatorName))
    .map(({ location, mutatorName, replacement }) => {
      const [start, end] = [offset(location.start), offset(location.end)];
      return { kind: mutatorName, start, end, replacement };
    });
}

function lineText(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? undefined : end);
}

function digest(...words: readonly string[]): string {
  return createHash('sha256').update(words.join('\0')).digest('hex').slice(0, 12);
}

const nothing = () => undefined;
const silent = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
};
