/** The work of answers: the questions that a server asks of its warehouse. */
import type { Question } from '../src/engine/question.ts';
import type { Parameters, Row, View, Warehouse } from '../src/engine/warehouse.ts';

/**
 * The cost of an answer: its questions, by how many and which they are, the entries of their lists,
 * and the rows they returned. What comes from memory costs nothing.
 */
export type Work = { questions: number; names: string[]; entries: number; rows: number };

const work: Work = { questions: 0, names: [], entries: 0, rows: 0 };

/** Counts the work of all questions, between a server and its warehouse. */
export function counted(warehouse: Warehouse): Warehouse {
  const count = ({ name }: Question<never>, parameters: Parameters) => {
    work.questions++;
    work.names.push(name);
    for (const value of Object.values(parameters))
      if (Array.isArray(value)) work.entries += value.length;
  };
  const askBy =
    (ask: (question: Question<never>, parameters: Parameters, limits: never) => Promise<Row[]>) =>
    async (question: Question<never>, parameters: Parameters, limits: never) => {
      count(question, parameters);
      const rows = await ask(question, parameters, limits);
      work.rows += rows.length;
      return rows;
    };
  return new Proxy(warehouse, {
    get(target, name) {
      if (name === 'ask') return askBy(target.ask.bind(target) as never);
      if (name === 'read')
        return (channels: number[], limits: never, use: (...by: unknown[]) => unknown) =>
          target.read(channels, limits, async (ask, stream) =>
            use(askBy(ask as never), (question: Question<never>, parameters: Parameters) => {
              count(question, parameters);
              return stream(question, parameters);
            }),
          );
      if (name === 'view')
        return (channels: number[], limits: never, use: (view: View) => unknown) =>
          target.view(channels, limits, async ({ stamps, ask }) =>
            use({ stamps, ask: askBy(ask as never) as never }),
          );
      return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
    },
  });
}

/** An answer, and the work that it took. */
export async function workOf<Answered>(
  answer: () => Promise<Answered>,
): Promise<[answered: Answered, took: Work]> {
  Object.assign(work, { questions: 0, names: [], entries: 0, rows: 0 });
  const answered = await answer();
  return [answered, { ...work, names: [...work.names] }];
}
