// Runs npm scripts side by side: `node scripts/together.ts check test:all`. The output of the last
// appears as it comes, that of the others below it. Fails if one of them fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const scripts = process.argv.slice(2);

const ended = await Promise.all(
  scripts.map(async (script, place) => {
    const isLast = place === scripts.length - 1;
    const child = spawn(process.execPath, ['--run', script], {
      stdio: ['inherit', isLast ? 'inherit' : 'pipe', isLast ? 'inherit' : 'pipe'],
    });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk));
    const [code] = await once(child, 'close');
    return { script, output: Buffer.concat(output), code: code as number | null };
  }),
);

for (const { script, output } of ended.slice(0, -1))
  process.stdout.write(`\nnpm run ${script}\n${output}`);
for (const { script, code } of ended)
  console.log(`npm run ${script}: ${code === 0 ? 'passed' : 'failed'}`);
process.exitCode = ended.every(({ code }) => code === 0) ? 0 : 1;
