// Checks that every regular expression of the service takes time at most in proportion to its text,
// because others write the texts: documents, requests, headers. Fails on one that may take more.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';

/** Modules that make an expression of texts, and why those are linear, too. */
const constructed: Readonly<Record<string, string>> = {
  'src/access/tokens.ts': 'its repetition has a fixed length',
  'src/cli/service.ts': 'it repeats nothing',
  'src/cli/wording.ts': 'its repetition ends it',
  'src/console/operator/importOptions.ts': 'its repetition ends it',
  'src/engine/question.ts': 'it reads only questions of the service',
  'src/engine/vocabulary.ts': 'it repeats nothing',
  'src/files/s3.ts': 'it reads only answers of the store of files',
  'src/http/errors.ts': 'it repeats nothing',
  'src/import/cells/dates.ts': 'its repetitions have fixed lengths',
  'src/import/cells/money.ts': 'a digit begins its repetition, and groups have fixed lengths',
  'src/import/documents/finance/settlementReader.ts': 'its repetition has a fixed length',
  'src/import/plainLines.ts': 'it is sticky, and delimiters end its repetitions',
};

const root = fileURLToPath(new URL('..', import.meta.url));
const problems: string[] = [];
const checked = new Set<string>();
const constructing = new Set<string>();

for (const file of globSync('{demonstration,src,schema}/**/*.{ts,tsx}', { cwd: root }).sort())
  if (!/\.(?:test|d)\.tsx?$/.test(file)) check(file);
for (const file of Object.keys(constructed))
  if (!constructing.has(file))
    problems.push(`${file} makes no expression: remove it from the list`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function check(file: string): void {
  const text = readFileSync(`${root}${file}`, 'utf8');
  const placeOf = (start: number) => `${file}:${text.slice(0, start).split('\n').length}`;
  const takeCall = ({ callee, start }: { readonly callee: object; readonly start: number }) => {
    if (!('name' in callee) || callee.name !== 'RegExp') return;
    constructing.add(file);
    if (constructed[file] === undefined)
      problems.push(`${placeOf(start)} makes an expression: say in patterns.ts why it is linear`);
  };
  new Visitor({
    NewExpression: takeCall,
    CallExpression: takeCall,
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern: source, flags } = node.regex;
      const written = `/${source}/${flags}`;
      if (checked.has(written)) return;
      checked.add(written);
      for (const { type, exponential, character } of analyse({ source, flags }).reports)
        problems.push(
          `${placeOf(node.start)} ${written} may take ${exponential ? 'exponential' : 'quadratic'} time (${type}) over repetitions of ${JSON.stringify(character.pick)}`,
        );
    },
  }).visit(parseSync(file, text).program);
}
