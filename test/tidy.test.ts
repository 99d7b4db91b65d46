/** The habits of the house that a program can check; each failure names its place. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ParseResult, parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));
const columnsMax = 100;
const fileLinesMax = 400;
const functionLinesMax = 70;
const subjectMax = 72;

/** Files that hold nothing but tables of data: they may be as long as their data. */
const dataTables = new Set(['schema/warehouse/tables.ts']);

/** Written by programs, made of the marketplace's own words, or the list of words itself. */
const notOurWords =
  /^(?:package-lock\.json|LICENSE|docs\/(?:.*openapi|postman)\.json|docs\/glossary\.md|src\/endpoints\/exampleAnswers\.json|test\/(?:cases|fixtures)\/|test\/tidy\.test\.ts|src\/import\/ecb\/|clients\/typescript\/src\/generated\/)/;

/** Words that the glossary replaced, and phrases that no native speaker would write. */
const bannedWords: readonly RegExp[] = [
  // `told` is also a field in records of imports of earlier versions.
  /(?<![.'"])\b(?:un|re)?told\b(?!['":?])/i,
  /\btell(?:s|ing)?\b/i,
  /\bwhoever\b/i,
  /\b(?:gave|give|gives|given|giving) way\b/i,
  /\bleft out\b/i,
  /\bby the way\b/i,
  /\bhand(?:s|ed|ing)? (?:it |them )?over\b/i,
  /\b(?:lend|lends|lent|loan)\b/i,
  /\bof no kind\b/i,
  /\bto be had\b/i,
  /\bmend(?:s|ed|ing)?\b/i,
  /\bhair\b/i,
  /\btroubled\b/i,
  /\b(?:as|that|who|what) (?:it|he|she|they|who) is told\b/i,
  /\bfacts of nobody\b/i,
  /(?:^|\s)(?:\/\*\*|\/\/|--|\*) What\b/,
  /\b(?:Desk|byTheWay|handOver|relieve|bookOn|FinanceBook|Telling|sayAndWait|GoOn)\b/,
  /\b(?:Circumstances|Means|noteDeed|Deed|singleCall|giveBack|brokenDays|lacking)\b/,
  /\b(?:place_in|folded|stood_at|to_places|floor_to|stands_at)\b/,
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(root + file));
const textOf = (file: string) => readFileSync(root + file, 'utf8');
const isTest = (file: string) => /\.test\.tsx?$|^test\//.test(file);
const isGenerated = (file: string) => file.startsWith('clients/typescript/src/generated/');
const code = files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !isGenerated(file));
const sources = code.filter(
  (file) =>
    /^(?:bench|demonstration|prove|src|schema|scripts|clients)\//.test(file) && !isTest(file),
);
const questions = files.filter((file) => file.endsWith('.sql'));
const documents = files.filter((file) => file.endsWith('.md') && !/SOURCES\.md$/.test(file));

/** `file:line: text` of every line for which `isWrong` holds. */
function linesOf(list: readonly string[], isWrong: (line: string, file: string) => boolean) {
  return list.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) =>
        isWrong(line, file) ? [`${file}:${index + 1}: ${line.trim().slice(0, columnsMax)}`] : [],
      ),
  );
}

function assertNone(found: readonly string[], rule: string) {
  assert.equal(
    found.length,
    0,
    `${rule}\n${found.slice(0, 60).join('\n')}\n${found.length} in all`,
  );
}

test('No line is wider than 100 columns, but for links, tables and data that cannot be cut.', () => {
  const isWhole = /https?:|'[^']{60,}'|`[^`]{60,}`|"[^"]{60,}"|\/.{40,}\/[a-z]*\.?|biome-ignore/;
  // A row of a table in a test, which stands in a template: a table has a line for each.
  const isRow = (line: string, file: string) =>
    isTest(file) &&
    /^(?:[^,|]*[,|]){6}/.test(line) &&
    templateLines(file).has(line.replace(/`.*$/, ''));
  const wide = linesOf(
    [...code, ...questions],
    (line, file) => line.length > columnsMax && !isWhole.test(line) && !isRow(line, file),
  );
  let isBlock = false;
  const wideText = linesOf(documents, (line) => {
    if (line.trimStart().startsWith('```')) isBlock = !isBlock;
    return line.length > columnsMax && !isBlock && !/^\s*\||https?:|^ {4}|\]\(/.test(line);
  });
  assertNone([...wide, ...wideText], `A line may have ${columnsMax} columns`);
});

test('No source file is longer than 400 lines, but for tables of data.', () => {
  const long = [...sources, ...questions, ...files.filter((file) => file.endsWith('.css'))]
    .filter((file) => !dataTables.has(file))
    .map((file) => [file, textOf(file).trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > fileLinesMax);
  assertNone(
    long.map(([file, lines]) => `${file}: ${lines}`),
    `A file may have ${fileLinesMax} lines`,
  );
});

/** The whole lines of a file that stand within templates. */
function templateLines(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const text = textOf(file);
  const TemplateLiteral = ({ start, end }: Span) => {
    for (const line of text.slice(start, end).split('\n').slice(1))
      found.add(line.replace(/`$/, ''));
  };
  new Visitor({ TemplateLiteral }).visit(parsed(file).program);
  return found;
}

type Span = { readonly start: number; readonly end: number };
const trees = new Map<string, ParseResult>();

function parsed(file: string): ParseResult {
  const tree = trees.get(file) ?? parseSync(file, textOf(file));
  trees.set(file, tree);
  return tree;
}

test('No function is longer than 70 lines.', () => {
  const long = sources.flatMap((file) => {
    const text = textOf(file);
    const found: string[] = [];
    const lineAt = (position: number) => text.slice(0, position).split('\n').length;
    const take = ({ start, end }: Span) => {
      const lines = text.slice(start, end).split('\n').length;
      if (lines > functionLinesMax) found.push(`${file}:${lineAt(start)}: ${lines}`);
    };
    new Visitor({
      FunctionDeclaration: take,
      FunctionExpression: take,
      ArrowFunctionExpression: take,
    }).visit(parsed(file).program);
    return found;
  });
  assertNone(long, `A function may have ${functionLinesMax} lines`);
});

test('Every export says in a sentence what it is.', () => {
  const silent = sources
    .filter((file) => !file.endsWith('.mjs'))
    .flatMap((file) => {
      const text = textOf(file);
      const { program, comments } = parsed(file);
      const sentences = comments.filter(({ type, value }) => type === 'Block' && value[0] === '*');
      return program.body
        .filter((statement, place) => {
          const before = program.body[place - 1]?.end ?? 0;
          const isExported =
            statement.type === 'ExportDefaultDeclaration' ||
            (statement.type === 'ExportNamedDeclaration' && statement.declaration !== null);
          const isSaid = sentences.some(
            ({ start, end }) => start >= before && end <= statement.start,
          );
          return isExported && !isSaid;
        })
        .map(({ start }) => {
          const line = text.slice(0, start).split('\n').length;
          return `${file}:${line}: ${text.slice(start).split('\n', 1)[0]}`;
        });
    });
  assertNone(silent, 'An export begins with a comment /** ... */ of one sentence or a few');
});

test('Every question opens with its grain.', () => {
  const silent = questions.filter((file) => !/^-- One row (?:per|for|in all)\b/.test(textOf(file)));
  assertNone(silent, 'The first line of a .sql file says "-- One row per ..."');
});

/** The places of .sql files that code may fill: names, lists, and rows of another file. */
const filledPlaces = new Set(
  `column id instant key known order table
  answer columns details figureColumns grain names partition rowKey summed sums sumsOfEvents
  sumsOfGoods sumsOfReportedGoods sumsOfShipping sumsOrZero
  advertised figures items lastSales listed posted rows sales sold`.split(/\s+/),
);

test('Statements stand in .sql files, and a comparison is a second question.', () => {
  const inCode = sources
    .filter((file) => /^src\/(?!engine\/|console\/)/.test(file))
    .filter((file) => /^(?! *(?:\*|\/\*|\/\/)).*\b(?:SELECT|JOIN|UNION ALL)\b/m.test(textOf(file)));
  assertNone(inCode, 'Read a .sql file by questionFile()');
  const filled = linesOf(
    questions.filter((file) => /^(?:src|schema)\//.test(file)),
    (line) =>
      !line.startsWith('--') &&
      [...line.matchAll(/\{(?:\w+\.)?(\w+)\}/g)].some(
        ([place, name]) => !place.endsWith('.sql}') && !filledPlaces.has(name!),
      ),
  );
  assertNone(filled, 'Use a parameter, a second question or a file {NAME.sql}');
  const both = linesOf(questions, (line) => /\b(?:prior_|is_current\b)/.test(line));
  assertNone(both, 'Ask a question about one window, and join the answers by withComparison()');
});

/** The commit before the first one that the rule of commits holds for, and those that broke it. */
const lastBefore = 'fe2275ce';
const brokenBefore = /^(?:ad5d26de|5cd27426) /;

test('A commit has a subject of 72 characters about one change, and a body that says why.', () => {
  let log = '';
  try {
    const words = ['log', '--no-merges', '--format=%h %s%n%b%x00', `${lastBefore}..HEAD`];
    log = execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  } catch {
    // A shallow clone or an unpacked archive has no history to look at.
  }
  const wrong = log.split('\0').flatMap((commit) => {
    const [first = '', ...body] = commit.trim().split('\n');
    const subject = first.replace(/^\S+ /, '');
    const isRight = subject.length <= subjectMax && !/, and\b/.test(subject) && body.length > 0;
    return first === '' || isRight || brokenBefore.test(first) ? [] : [first];
  });
  assertNone(
    wrong,
    `A subject has at most ${subjectMax} characters and no ", and"; a body follows`,
  );
});

test('No text uses a word that the glossary has replaced.', () => {
  const ours = files.filter(
    (file) => /\.(?:ts|tsx|mjs|sql|md|css|tsv|json)$/.test(file) && !notOurWords.test(file),
  );
  const found = linesOf([...ours], (line) => bannedWords.some((word) => word.test(line)));
  assertNone(found, 'See docs/glossary.md for the word to use');
});
