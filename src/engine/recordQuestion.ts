/** Questions about records whose SQL Kysely cannot say: `.sql` files with parameters `{name:Type}`. */
import { type RawBuilder, sql } from 'kysely';
import { bodyFile } from './question.ts';
import type { Row } from './values.ts';

const parameter = /\{(\w+):\w+\}/;

/** Reads a question about records from a `.sql` file: a function of its parameters. */
export function recordQuestionFile<R extends Row>(
  moduleUrl: string,
  file: string,
): (parameters: Readonly<Record<string, string | number>>) => RawBuilder<R> {
  // Split by a pattern with a group: texts and, between them, names of parameters.
  const pieces = bodyFile(moduleUrl, file).split(parameter);
  return (parameters) =>
    sql.join(
      pieces.map((piece, place) => (place % 2 === 0 ? sql.raw(piece) : parameters[piece]!)),
      sql.raw(''),
    ) as RawBuilder<R>;
}
