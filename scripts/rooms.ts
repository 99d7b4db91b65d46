// Draws the rooms of the service and the imports between them into ARCHITECTURE.md. With --check it
// compares instead, and fails when the picture is out of date or rooms import each other.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readModules } from './modules.ts';

/** Rooms and the rooms that they import. */
type Rooms = ReadonlyMap<string, ReadonlySet<string>>;

const file = fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url));
const between = /(?<=<!-- rooms -->\n)[\s\S]*(?=<!-- \/rooms -->)/;
/** Most rooms import these, so their arrows would hide the others. */
const everywhere = ['calendar', 'config', 'contract', 'schema'];

const rooms = await readRooms();
const mutual = circles(rooms);
for (const circle of mutual) console.error(`rooms import each other: ${circle}`);
const document = readFileSync(file, 'utf8');
if (!between.test(document)) throw new Error('ARCHITECTURE.md lacks the markers of the rooms');
const drawn = document.replace(between, draw(rooms));
if (!process.argv.includes('--check')) writeFileSync(file, drawn);
else if (drawn !== document || mutual.length > 0) {
  if (drawn !== document)
    console.error('ARCHITECTURE.md: the rooms have changed; run npm run documents and commit it.');
  process.exitCode = 1;
}

async function readRooms(): Promise<Rooms> {
  const { modules } = await readModules();
  const found = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const room = roomOf(source);
    if (room === undefined || source.includes('.test.')) continue;
    const imported = found.get(room) ?? new Set();
    found.set(room, imported);
    for (const { resolved } of dependencies) {
      const target = roomOf(resolved);
      if (target !== undefined && target !== room) imported.add(target);
    }
  }
  return found;
}

/** `src/engine/duckdb/readers.ts` is in the room engine; `src/main.ts` is a room by itself. */
function roomOf(path: string): string | undefined {
  return /^(?:src\/(?<room>\w+)|(?<beside>demonstration|schema)\/)/
    .exec(path)
    ?.slice(1)
    .find((name) => name !== undefined);
}

/** Pairs of rooms that import each other, directly or through other rooms. */
function circles(all: Rooms): string[] {
  return [...all.keys()].flatMap((room) =>
    [...reachable(all, room)]
      .filter((other) => room < other && reachable(all, other).has(room))
      .map((other) => `${room} and ${other}`),
  );
}

/** All rooms that a room imports, directly or through others. */
function reachable(all: Rooms, room: string, found = new Set<string>()): Set<string> {
  for (const next of all.get(room) ?? []) {
    if (found.has(next)) continue;
    found.add(next);
    reachable(all, next, found);
  }
  return found;
}

/** A flowchart without the arrows that follow from others. */
function draw(all: Rooms): string {
  const names = [...all.keys()].filter((room) => !everywhere.includes(room)).sort();
  const arrows = names.flatMap((room) => {
    const targets = [...all.get(room)!].filter((target) => names.includes(target)).sort();
    const isImplied = (target: string) =>
      targets.some(
        (other) =>
          other !== target &&
          reachable(all, other).has(target) &&
          !reachable(all, target).has(other),
      );
    return targets
      .filter((target) => !isImplied(target))
      .map((target) => `  ${room} --> ${target}`);
  });
  const boxes = names.map((room) => `  ${room}(${room})`);
  const note = `Drawn from the imports by \`npm run documents\`. Every room may also import
${everywhere.slice(0, -1).join(', ')} and ${everywhere.at(-1)}.
Arrows that follow from others are not drawn.`;
  return ['', '```mermaid', 'flowchart TD', ...boxes, ...arrows, '```', '', note, '', ''].join(
    '\n',
  );
}
