/**
 * Builds and runs the image of a Dockerfile without containers: its steps work in folders that
 * stand for the root file systems of its stages. Absolute paths of the image lead into them.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import {
  type Copy,
  DockerfileParser,
  type Env,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';

/** Folders of the image that its steps name. */
const imageFolders = /(?<![\w.])\/(?:app|data|usr\/local\/bin)\b/g;

/** A stage: its root file system, and how its processes run. */
type Stage = {
  readonly root: string;
  folder: string;
  user: number | undefined;
  environment: Record<string, string>;
  entry: readonly string[];
  command: readonly string[];
  check: readonly string[];
};

/** A built image. */
export type Image = {
  readonly root: string;
  /** Runs the entry point with `words`, or with the command of the image. */
  run(environment: Record<string, string>, words?: readonly string[]): ChildProcess;
  /** Runs the health check. */
  check(environment: Record<string, string>): ChildProcess;
};

/** Builds the image of the Dockerfile in `source`, a clone; `folder` must be empty. */
export function buildImage(source: string, folder: string): Image {
  const context = join(folder, 'context');
  fillContext(source, context);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  const dockerfile = DockerfileParser.parse(readFileSync(join(source, 'Dockerfile'), 'utf8'));
  for (const instruction of dockerfile.getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const words = instruction.getArguments().map((one) => one.getValue());
      stage = newStage(join(folder, `stage-${stages.size + 1}`));
      stages.set(words[2] ?? 'last', stage);
    } else take(instruction, stage!, (name) => stages.get(name)?.root ?? context);
  }
  const last = stage!;
  return {
    root: last.root,
    run: (environment, words = last.command) => start(last, [...last.entry, ...words], environment),
    check: (environment) => start(last, last.check, environment),
  };
}

/** Copies the files of a clone that .dockerignore leaves. */
function fillContext(source: string, context: string): void {
  const rules = readFileSync(join(source, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isIncluded: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  const isIgnored = (file: string) =>
    rules.reduce(
      (before, { isIncluded, pattern }) =>
        matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`) ? !isIncluded : before,
      false,
    );
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: source, encoding: 'utf8' }).trim().split('\n');
  for (const file of files)
    if (!isIgnored(file)) cpSync(join(source, file), join(context, file), { recursive: true });
}

function newStage(root: string): Stage {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  const environment = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const none = { user: undefined, entry: [], command: [], check: [] };
  return { root, folder: root, environment, ...none };
}

function take(instruction: Instruction, stage: Stage, rootOf: (name: string) => string): void {
  const text = instruction.getArgumentsContent() ?? '';
  const inStage = (path: string) => path.replace(imageFolders, `${stage.root}$&`);
  const list = () => (instruction as JSONInstruction).getJSONStrings().map(stripped).map(inStage);
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      stage.folder = inStage(text);
      mkdirSync(stage.folder, { recursive: true });
      break;
    case 'ENV':
      for (const property of (instruction as Env).getProperties())
        stage.environment[property.getName()] = inStage(property.getValue() ?? '');
      break;
    case 'COPY': {
      const from = (instruction as Copy).getFromFlag()?.getValue() ?? 'context';
      const paths = instruction.getArguments().map((one) => one.getValue());
      const target = join(stage.folder, paths.pop()!);
      for (const path of paths) copy(join(rootOf(from), path), target);
      break;
    }
    case 'RUN':
      execFileSync('bash', ['-ec', inStage(text)], {
        cwd: stage.folder,
        env: stage.environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      break;
    case 'USER':
      stage.user = Number(text.split(':')[0]);
      break;
    case 'ENTRYPOINT':
      stage.entry = list();
      break;
    case 'CMD':
      stage.command = list();
      break;
    case 'HEALTHCHECK':
      stage.check = JSON.parse(text.slice(text.indexOf('[')));
  }
}

/** A folder's content goes into the target; a file goes below it. */
function copy(source: string, target: string): void {
  const isFolder = statSync(source).isDirectory();
  const to = isFolder ? target : join(target, basename(source));
  cpSync(source, to, { recursive: true, verbatimSymlinks: true });
}

function stripped(quoted: { getValue(): string }): string {
  return JSON.parse(quoted.getValue());
}

/** Runs a program as the user of the image, where this process may change its own. */
function start(
  { root, folder, user, environment }: Stage,
  [program, ...words]: readonly string[],
  more: Record<string, string>,
): ChildProcess {
  chmodSync(dirname(root), 0o755);
  const isRoot = process.getuid!() === 0 && user !== undefined;
  return spawn(program!, words, {
    cwd: folder,
    env: { ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: user, gid: user }),
  });
}
