/** Assistants of tests: clients of the Model Context Protocol at a world's address. */
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { addressOf, type World } from './harness.ts';

/** The address of the protocol on a world's server, which then listens on this machine. */
export async function assistantAddress(world: World): Promise<URL> {
  return new URL('/mcp', await addressOf(world));
}

/** A connected client with a key, which speaks the newest protocol. */
export async function connect(address: URL, key: string): Promise<Client> {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  return client;
}

/** The output of a tool. */
// biome-ignore lint/suspicious/noExplicitAny: each test states the shape that it expects.
export type ToolAnswer = Record<string, any>;

/** Calls a tool and expects figures; the text of the answer holds the same. */
export async function call(client: Client, name: string, input: object = {}): Promise<ToolAnswer> {
  const { content, structuredContent, isError } = await client.callTool({
    name,
    arguments: { ...input },
  });
  assert.equal(isError, undefined, JSON.stringify(content));
  assert.deepEqual(JSON.parse(textIn(content)), structuredContent);
  return structuredContent as ToolAnswer;
}

/** Calls an operation, which need not have a tool of its own, and expects figures. */
export function callOperation(client: Client, operation: string, input: object) {
  return call(client, 'call_operation', { operation, input });
}

/** Calls a tool and expects a refusal; returns its text. */
export async function refusedCall(client: Client, name: string, input: object): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: { ...input } });
  assert.equal(isError, true);
  return textIn(content);
}

function textIn(content: unknown): string {
  const [first] = content as { readonly type: string; readonly text: string }[];
  assert.equal(first?.type, 'text');
  return first.text;
}
