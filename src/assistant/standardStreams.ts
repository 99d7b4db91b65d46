/** The MCP server over streams, for assistants that start it as a process of their own. */
import type { Readable, Writable } from 'node:stream';
import {
  type StdioServerHandle,
  StdioServerTransport,
  serveStdio,
} from '@modelcontextprotocol/server/stdio';
import type { Api } from './api.ts';
import { createAssistant } from './assistant.ts';

/** Serves one assistant until it is closed. */
export function serveAssistant(api: Api, input: Readable, output: Writable): StdioServerHandle {
  const transport = new StdioServerTransport(input, output);
  return serveStdio(() => createAssistant(api), { transport, maxSubscriptions: 0 });
}
