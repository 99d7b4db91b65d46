// Runs the examples of README and guides and prints in the documents what they answer now. Read what has changed before it is committed: what
// one example tells must agree with what the others do.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documents, exampleRunner, openDocumented, openShell, readExamples, withAnswers } from '../test/guides.ts';

const service = await openDocumented();
try {
  for (const document of documents) {
    const path = fileURLToPath(new URL(`../${document}`, import.meta.url));
    const markdown = readFileSync(path, 'utf8');
    const run = exampleRunner(openShell(service, await service.folderFor()));
    const answers = new Map<string, string>();
    for (const example of readExamples(document, markdown)) {
      const { difference, refreshed } = await run(example);
      if (difference !== undefined) console.log(`${example.place}: ${difference}`);
      if (refreshed !== undefined) answers.set(example.place, refreshed);
    }
    writeFileSync(path, withAnswers(document, markdown, answers));
  }
} finally {
  await service.close();
}
