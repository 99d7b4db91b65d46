/** The commands of the command line, each loaded only when it is used. */
import { Command } from 'commander';
import { ConfigError, readPackage } from '../config.ts';
import { StartRefusal, StoreUnavailable } from '../engine/errors.ts';
import { examplesHelp, exitCodes } from './service.ts';

type Subject = {
  readonly about: string;
  /** Loads the function that adds the options or subcommands. */
  readonly load: () => Promise<(command: Command) => unknown>;
};

/** The subject that needs all others. */
const completion = 'completion';

/** The commands, by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  serve: {
    about: 'run the service; environment variables (VITRINE_PORT, VITRINE_DATA, ...) configure it',
    load: async () => (await import('./serve.ts')).addServe,
  },
  doctor: {
    about: 'check this machine, the connection and the service, and say how to fix problems',
    load: async () => (await import('./doctor.ts')).addDoctor,
  },
  stores: {
    about: 'compare the registry and the warehouse of a stopped service, such as after a restore',
    load: async () => (await import('./stores.ts')).addStores,
  },
  backup: {
    about: 'keep a backup of a running service in a folder',
    load: async () => (await import('./backup.ts')).addBackup,
  },
  restore: {
    about: 'restore a backup into an empty installation, while its service is stopped',
    load: async () => (await import('./restore.ts')).addRestore,
  },
  move: {
    about: 'copy a running installation into PostgreSQL and ClickHouse, and compare all facts',
    load: async () => (await import('./move.ts')).addMove,
  },
  organisations: {
    about: 'list, show, create, change and delete organisations',
    load: async () => (await import('./organisations.ts')).addOrganisations,
  },
  users: {
    about: 'list, show, create, change and delete users, and set their channels',
    load: async () => (await import('./users.ts')).addUsers,
  },
  keys: {
    about: 'list, show, issue, change, rotate and revoke API keys',
    load: async () => (await import('./keys.ts')).addKeys,
  },
  channels: {
    about: 'list, show, save and delete channels',
    load: async () => (await import('./channels.ts')).addChannels,
  },
  'campaign-groups': {
    about: 'list, show, save and delete campaign groups',
    load: async () => (await import('./campaignGroups.ts')).addCampaignGroups,
  },
  reports: {
    about: 'wait for a report, and download it',
    load: async () => (await import('./reports.ts')).addReports,
  },
  mcp: {
    about: 'let an assistant on this machine ask a running service, over standard input and output',
    load: async () => (await import('./mcp.ts')).addMcp,
  },
  usage: {
    about: 'list requests by day, key and operation',
    load: async () => (await import('./usage.ts')).addUsage,
  },
  operators: {
    about: 'list, create and delete operators, and replace their tokens',
    load: async () => (await import('./operators.ts')).addOperators,
  },
  audit: {
    about: 'list or export who changed what, and when',
    load: async () => (await import('./audit.ts')).addAudit,
  },
  import: {
    about: 'import marketplace documents, or rows of a dataset',
    load: async () => (await import('./import.ts')).addImport,
  },
  imports: {
    about: 'list, show and undo imports, and list their rejected rows',
    load: async () => (await import('./imports.ts')).addImports,
  },
  jobs: {
    about: 'list reports and unit costs on their way, and cancel those that wait',
    load: async () => (await import('./jobs.ts')).addJobs,
  },
  facts: {
    about: 'delete facts of a dataset',
    load: async () => (await import('./facts.ts')).addFacts,
  },
  export: {
    about: 'export the facts of a channel as Parquet files',
    load: async () => (await import('./export.ts')).addExport,
  },
  documents: {
    about: 'list what can be imported, and the fields of datasets',
    load: async () => (await import('./documents.ts')).addDocuments,
  },
  codes: {
    about: 'list, explain, set and remove the codes that assign financial amounts to lines',
    load: async () => (await import('./codes.ts')).addCodes,
  },
  freshness: {
    about: 'list how recent the facts of each channel are',
    load: async () => (await import('./freshness.ts')).addFreshness,
  },
  trace: {
    about: 'list the imports and documents that the figures of a day come from',
    load: async () => (await import('./trace.ts')).addTrace,
  },
  rates: {
    about: "list exchange rates, and import the European Central Bank's",
    load: async () => (await import('./rates.ts')).addRates,
  },
  [completion]: {
    about: 'print the script that completes commands and options in bash, zsh or fish',
    load: async () => (await import('./completion.ts')).addCompletion,
  },
};

const moreHelp = `
All commands but serve, stores, restore and completion call a running service; --url names it. All
but reports, trace and mcp call its operator API with the operator token; --token gives it.

Exit codes:
  0  done
  1  the service refused the request or could not be reached
  2  the command is invalid; nothing was sent
  3  imported, but some rows were rejected
  4  doctor found a failure

${examplesHelp(['serve', 'doctor', 'channels list', 'keys --help'])}`;

/** Runs the command that `words` name and sets `process.exitCode`. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    const program = await programOf(words);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // These errors are for the operator, who needs no stack.
    const isPlain = [ConfigError, StartRefusal, StoreUnavailable].some(
      (type) => error instanceof type,
    );
    console.error(isPlain ? (error as Error).message : error);
    process.exitCode = exitCodes.failed;
  }
}

/** The program, in which only the command that `words` name has its options, or all for completion. */
export async function programOf(words: readonly string[]): Promise<Command> {
  const program = new Command('vitrine')
    .description('The open, self-hostable commerce analytics and reporting API')
    .version(readPackage().version, '-V, --version', 'print the version')
    // Options after a subcommand belong to it, even if its parent has options of the same name.
    .enablePositionalOptions()
    .showHelpAfterError('Add --help for usage.')
    .addHelpText('after', moreHelp)
    .exitOverride(({ exitCode }) =>
      process.exit(exitCode === 0 ? exitCodes.done : exitCodes.usage),
    );
  const named = words.find((word) => Object.hasOwn(subjects, word));
  for (const [name, { about, load }] of Object.entries(subjects)) {
    const command = program.command(name).description(about);
    if (name === named || named === completion) (await load())(command);
  }
  return program;
}
