/** The commands of the command line, each loaded when it is asked for. */
import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { exitCodes } from './service.ts';

type Subject = {
  readonly about: string;
  /** What adds the options or the commands of the subject. Loaded only when it is asked for, so that nothing waits for the others. */
  readonly load: () => Promise<(command: Command) => unknown>;
};

/** What can be asked for, by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  serve: {
    about:
      'serve the API; the environment (VITRINE_PORT, VITRINE_DATA, ...) says where and from what',
    load: async () => (await import('./serve.ts')).addServe,
  },
  doctor: {
    about: 'examine this machine and the service, and say what to do about what is not well',
    load: async () => (await import('./doctor.ts')).addDoctor,
  },
  organisations: {
    about: 'list, show, create, change and delete organisations',
    load: async () => (await import('./organisations.ts')).addOrganisations,
  },
  users: {
    about: 'list, show, create, change, grant and delete users',
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
    about: 'list, show, save and delete groups of campaigns',
    load: async () => (await import('./campaignGroups.ts')).addCampaignGroups,
  },
  usage: {
    about: 'list how keys were used',
    load: async () => (await import('./usage.ts')).addUsage,
  },
  audit: {
    about: 'list who changed what, and when',
    load: async () => (await import('./audit.ts')).addAudit,
  },
  import: {
    about: 'import files, and say what became of their rows',
    load: async () => (await import('./import.ts')).addImport,
  },
  imports: {
    about: 'list and show imports, and the rows that they refused',
    load: async () => (await import('./imports.ts')).addImports,
  },
  documents: {
    about: 'list what can be imported, and the fields of datasets',
    load: async () => (await import('./documents.ts')).addDocuments,
  },
  codes: {
    about: 'list, explain, set and remove where codes of financial documents are booked',
    load: async () => (await import('./codes.ts')).addCodes,
  },
  freshness: {
    about: 'tell how far the facts of channels reach',
    load: async () => (await import('./freshness.ts')).addFreshness,
  },
  rates: {
    about: 'list exchange rates, and fetch those of the European Central Bank',
    load: async () => (await import('./rates.ts')).addRates,
  },
};

const moreHelp = `
All but serve ask a running service by its operator's interface, on this machine or another: --url and --token say which.

Exit codes:
  0  done
  1  the service refused, or could not be reached
  2  the command was not understood; nothing was sent
  3  imported, but some rows were refused
  4  doctor found something that has failed

Examples:
  $ vitrine serve
  $ vitrine doctor
  $ vitrine channels list
  $ vitrine keys --help`;

/** Runs the command that `words` name, and leaves its exit code in `process.exitCode`. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    const program = await programOf(words);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // Errors of the configuration are the user's to correct and need no stack.
    console.error(error instanceof ConfigError ? error.message : error);
    process.exitCode = exitCodes.failed;
  }
}

/** The program; of its commands only the one that `words` ask for has its options. */
export async function programOf(words: readonly string[]): Promise<Command> {
  const program = new Command('vitrine')
    .description('The open, self-hostable commerce analytics and reporting API')
    // What comes after the name of a command is that command's, though those around it have options of the same names.
    .enablePositionalOptions()
    .showHelpAfterError('Add --help to see what it takes.')
    .addHelpText('after', moreHelp)
    .exitOverride(({ exitCode }) =>
      process.exit(exitCode === 0 ? exitCodes.done : exitCodes.notUnderstood),
    );
  const asked = words.find((word) => Object.hasOwn(subjects, word));
  for (const [name, { about, load }] of Object.entries(subjects)) {
    const command = program.command(name).description(about);
    if (name === asked) (await load())(command);
  }
  return program;
}
