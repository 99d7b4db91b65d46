/**
 * The warehouse with a span for each question: it contains its name, but not its SQL or parameters.
 */
import type { Tracer } from '../observation/tracer.ts';
import { overlay } from './overlay.ts';
import type { Question } from './question.ts';
import type { Ask, Stream, Warehouse } from './warehouse.ts';

/** Reports the questions to a warehouse as spans. */
export function traced(warehouse: Warehouse, tracer: Tracer): Warehouse {
  const begin = ({ name }: Question) =>
    tracer.begin(`question ${name}`, {
      'db.system.name': warehouse.engine,
      'db.operation.name': name,
    });
  const during = async <T>(question: Question, work: () => Promise<T>): Promise<T> => {
    const end = begin(question);
    try {
      const answer = await work();
      end();
      return answer;
    } catch (error) {
      end(error);
      throw error;
    }
  };
  const streaming = async function* <T>(question: Question, work: () => AsyncIterable<T>) {
    const end = begin(question);
    let failure: unknown;
    try {
      yield* work();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      end(failure);
    }
  };
  const asking =
    (ask: Ask): Ask =>
    (question, parameters) =>
      during(question, () => ask(question, parameters));
  const own: Pick<Warehouse, 'ask' | 'stream' | 'read' | 'view'> = {
    ask: (question, parameters, limits) =>
      during(question, () => warehouse.ask(question, parameters, limits)),
    stream: (question, parameters, limits) =>
      streaming(question, () => warehouse.stream(question, parameters, limits)),
    read: (channels, limits, use) =>
      warehouse.read(channels, limits, (ask, stream, write) => {
        const ofRead: Stream = (question, parameters) =>
          streaming(question, () => stream(question, parameters));
        return use(asking(ask), ofRead, write);
      }),
    view: (channels, limits, use) =>
      warehouse.view(channels, limits, (view) =>
        use({ stamps: view.stamps, ask: asking((...question) => view.ask(...question)) }),
      ),
  };
  return overlay(warehouse, own);
}
