/** `vitrine mcp`. */
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Api } from '../assistant/api.ts';
import { rest, systemClock } from '../engine/clock.ts';
import {
  examplesHelp,
  Failure,
  keyOption,
  open,
  publicServiceOf,
  runToEnd,
  type Service,
  type ServiceOptions,
  urlOption,
  variablesHelp,
} from './service.ts';

type Options = ServiceOptions & { readonly key?: string };

const examples = ['mcp --url http://127.0.0.1:8080 --key "$KEY"'];
const moreHelp = `
An assistant such as Claude Desktop starts this command by itself and ends it. It speaks the Model
Context Protocol and has the tools that the address /mcp of the service has; each call of a tool
counts for the key. It runs until its standard input ends.

Exit codes: 0 standard input has ended, 2 invalid command.

${variablesHelp(examples)}

${examplesHelp(examples)}`;

/** Makes `command` serve assistants over standard input and output. */
export function addMcp(command: Command): void {
  command
    .option(...urlOption)
    .option(...keyOption)
    .addHelpText('after', moreHelp)
    .action(() => runToEnd(command, () => serve(publicServiceOf(command.opts<Options>()))));
}

async function serve(service: Service): Promise<void> {
  const { serveAssistant } = await import('../assistant/standardStreams.ts');
  const { stdin, stdout } = process;
  const assistant = serveAssistant(apiOf(service), stdin, stdout);
  // An error of the input ends it as well.
  await finished(stdin, { writable: false }).catch(() => undefined);
  await assistant.close();
}

/** The public API of a running service. A connection that fails is an answer, too. */
function apiOf(service: Service): Api {
  return {
    async send({ method, path, ...request }) {
      try {
        const { status, headers, ...response } = await answered(service, method, path, request);
        return { status, header: (name) => headers.get(name) ?? undefined, ...response };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const bytes = Buffer.from(JSON.stringify({ error: error.message }));
        return { status: 503, header: () => undefined, bytes };
      }
    },
    pause: (milliseconds) => rest(systemClock, milliseconds),
    now: systemClock.now,
    // Assistants keep what their servers write to standard error.
    report: (error) => console.error(error),
  };
}

async function answered(
  service: Service,
  method: string,
  path: string,
  request: Parameters<typeof open>[3],
) {
  const response = await open(service, method, path, request);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
