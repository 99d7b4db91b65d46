/** `vitrine completion`: prints a script that completes commands, options and values in a shell. */
import { Argument, type Command, type Option } from 'commander';
import { type Candidate, type Place, scripts, type Value } from './completionScripts.ts';
import { examplesHelp } from './service.ts';

const moreHelp = `
To complete in every new shell of yours:
  bash  vitrine completion bash > ~/.local/share/bash-completion/completions/vitrine
  zsh   vitrine completion zsh > ~/.zfunc/_vitrine
        and in ~/.zshrc, before compinit: fpath=(~/.zfunc $fpath)
  fish  vitrine completion fish > ~/.config/fish/completions/vitrine.fish

Print it anew after an update. Exit codes: 0 printed, 2 invalid command.

${examplesHelp(['completion bash', 'completion zsh', 'completion fish'])}`;

/** Longest description of a candidate, in characters. */
const aboutMax = 70;

/** Makes `command` print a script; its program must hold the options of all commands. */
export function addCompletion(command: Command): void {
  const shell = new Argument('<shell>', 'the shell').choices(Object.keys(scripts));
  command
    .addArgument(shell)
    .addHelpText('after', moreHelp)
    .action((name: keyof typeof scripts) => {
      const places = placesOf(command.parent!, command.parent!.name());
      process.stdout.write(scripts[name](places));
    });
}

/** The commands at `path` and below, each with what may follow it. */
function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const args = command.registeredArguments;
  const place = {
    path,
    commands: [
      ...commands.map((one) => candidate(one.name(), one.description())),
      ...args.flatMap(({ argChoices = [] }) => argChoices.map((name) => candidate(name, ''))),
    ],
    options: options.flatMap((option) =>
      flagsOf(option).map((flag) => candidate(flag, option.description)),
    ),
    values: options.filter(takesValue).flatMap((option) => valuesOf(option)),
    takesFiles: args.some((argument) => argument.name() === 'file'),
  };
  const own = command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`));
  return [place, ...own];
}

function candidate(name: string, description: string): Candidate {
  const line = description.replaceAll(/\s+/g, ' ');
  const cut = line.slice(0, aboutMax - 3).replace(/(?<!\W)\W*\s\S*$/, '...');
  return { name, about: line.length > aboutMax ? cut : line };
}

/** The flags of an option, the long one first. */
function flagsOf({ long, short }: Option): string[] {
  return [long, short].filter((flag) => flag != null);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function valuesOf(option: Option): Value[] {
  const isFile = /<file>/.test(option.flags);
  return flagsOf(option).map((flag) => ({ flag, choices: option.argChoices ?? [], isFile }));
}
