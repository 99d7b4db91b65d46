/** The tools that find operations by words, and call one that has no tool of its own. */
import Type from 'typebox';
import { type Contract, isReading } from '../contract/endpoint.ts';
import { Text } from '../contract/shapes.ts';
import { publicContracts } from '../endpoints/contracts.ts';
import { ToolRefusal } from './api.ts';
import { leanSchema, meaningsOf } from './leanSchemas.ts';
import { inputSchema, readingTools } from './readingTools.ts';
import { listedTool, type Tool, thinkingTool } from './tool.ts';

const contracts: readonly Contract[] = Object.values(publicContracts).filter(isReading);

/** The tools of all operations that only read, by name. */
export const operationTools: ReadonlyMap<string, Tool> = new Map(
  readingTools(contracts).map((tool) => [tool.listed.name, tool]),
);

/** The most operations that are described in full. */
const foundMax = 3;
/** Points of a word in the name or summary of an operation; elsewhere a word has one. */
const headPoints = 4;

/** The tool `find_operations`. */
export const findOperations = thinkingTool(
  {
    name: 'find_operations',
    title: 'Find operations',
    description:
      'Finds operations that read, by words such as "orders" or "search queries" or by name, with ' +
      'their fields. Without words, names all. The exact name also says what the fields of its ' +
      'answer mean. Makes no request.',
    input: Type.Object({
      words: Type.Optional(Text({ description: 'What it is about, or its name.' })),
    }),
  },
  ({ words = '' }) => {
    const named = contracts.find(({ operation }) => operation === words.trim());
    const found = named === undefined ? ranked(words).slice(0, foundMax) : [named];
    const operations =
      found.length === 0
        ? contracts.map(({ operation, summary }) => ({ operation, summary }))
        : found.map((one) => described(one, one === named));
    return Promise.resolve({
      summary:
        found.length === 0
          ? `All ${contracts.length} operations: find one by its name, then call it.`
          : `Operations found: ${found.length}. Call one with call_operation.`,
      answer: { operations },
    });
  },
);

/** The operations that any of the words describes, the best first. */
function ranked(words: string): Contract[] {
  const wanted = wordsOf(words);
  return contracts
    .map((contract) => ({ contract, points: pointsOf(contract, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .map(({ contract }) => contract);
}

function pointsOf(contract: Contract, wanted: readonly string[]): number {
  const { operation, summary, description } = contract;
  const head = wordsOf(`${operation} ${summary}`);
  const fields = Object.keys(inputSchema(contract).properties).join(' ');
  const rest = wordsOf(`${description} ${fields}`);
  const points = (word: string) => (head.includes(word) ? headPoints : rest.includes(word) ? 1 : 0);
  return wanted.reduce((sum, word) => sum + points(word), 0);
}

/** The words of a text in lower case and the singular; joined names are split. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return (apart.match(/[a-z]{3,}/g) ?? []).map((word) =>
    word.replace(/ies$/, 'y').replace(/s$/, ''),
  );
}

function described(contract: Contract, isNamed: boolean) {
  const { operation, summary, description, answer } = contract;
  return {
    operation,
    summary,
    description,
    input: leanSchema(inputSchema(contract), 'full'),
    ...(isNamed && { answer: meaningsOf(answer) }),
  };
}

/** The tool `call_operation`. */
export const callOperation: Tool = {
  listed: listedTool({
    name: 'call_operation',
    title: 'Call an operation',
    description: 'Calls an operation that find_operations has found.',
    input: Type.Object({
      operation: Text({ description: 'Its name, such as listOrders.' }),
      input: Type.Optional(Type.Object({}, { description: 'Its fields.' })),
    }),
  }),
  async run({ operation, input = {}, ...others }, api) {
    const names = Object.keys(others);
    if (names.length > 0)
      throw new ToolRefusal(`400: ${names[0]} is not known; give the fields in input`);
    const tool = operationTools.get(String(operation));
    if (tool !== undefined) return await tool.run(input as Readonly<Record<string, unknown>>, api);
    throw new ToolRefusal('400: operation must be the name of one; find_operations lists them');
  },
};
