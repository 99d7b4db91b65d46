// Runs the examples of README, guides and contracts and writes their current answers into them.
// Review the changes before committing: the examples must agree with one another.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  documents,
  type Example,
  exampleAnswersFile,
  exampleRunner,
  openDocumented,
  openServices,
  openShell,
  readContractExamples,
  readExamples,
  withAnswers,
} from '../test/guides.ts';

const service = await openDocumented();
const services = await openServices(service);
try {
  for (const document of documents) {
    const path = pathOf(document);
    const markdown = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      withAnswers(document, markdown, await answersTo(document, readExamples(document, markdown))),
    );
  }
  const answers = await answersTo(exampleAnswersFile, readContractExamples());
  const file = pathOf(exampleAnswersFile);
  const printed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  for (const [operation, answer] of answers) printed[operation] = JSON.parse(answer);
  writeFileSync(file, `${JSON.stringify(printed, null, 2)}\n`);
} finally {
  await services.close();
  await service.close();
}

async function answersTo(
  document: string,
  examples: readonly Example[],
): Promise<Map<string, string>> {
  const service = services.serviceFor(document);
  const run = exampleRunner(openShell(service, await service.folderFor()));
  const answers = new Map<string, string>();
  for (const example of examples) {
    const { difference, refreshed } = await run(example);
    if (difference !== undefined) console.log(`${example.place}: ${difference}`);
    if (refreshed !== undefined) answers.set(example.place, refreshed);
  }
  return answers;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url));
}
