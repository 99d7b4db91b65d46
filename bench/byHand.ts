/** Fastify and DuckDB by hand: the least that an answer costs. */
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';

/** Answers a request, by the words of its path. */
export type Answer = (
  connection: DuckDBConnection,
  words: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** Settings of a server by hand; connections are used in turn. */
export type HandMade = {
  readonly routes: Readonly<Record<string, Answer>>;
  /** Statements before the first request. */
  readonly setup?: readonly string[];
  readonly connections?: number;
};

/**
 * Serves a data folder, and informs the process that started this one. It has one thread and 256
 * MB, like the services that it is compared with.
 */
export async function serveByHand(
  folder: string,
  { routes, setup = [], connections = 1 }: HandMade,
): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    threads: '1',
    memory_limit: '256MB',
  });
  const lanes = await Promise.all(Array.from({ length: connections }, () => instance.connect()));
  for (const statement of setup) await lanes[0]!.run(statement);
  let turn = 0;
  const server = Fastify();
  for (const [path, answer] of Object.entries(routes))
    server.get<{ Params: Record<string, string> }>(path, ({ params }) =>
      answer(lanes[turn++ % lanes.length]!, params),
    );
  process.send!(await server.listen({ host: '127.0.0.1', port: 0 }));
}

/** Serves by hand in a process that a benchmark has started for that; else runs the benchmark. */
export async function serveOrRun(handMade: HandMade, run: () => Promise<void>): Promise<void> {
  if (process.argv[2] === 'by-hand') await serveByHand(process.argv.at(-1)!, handMade);
  else await run();
}

/** The rows of a statement, as JSON has them. */
export const rowsOf = async (connection: DuckDBConnection, sql: string) =>
  (await connection.run(sql)).getRowObjectsJson();
