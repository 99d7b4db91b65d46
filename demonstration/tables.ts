/** Reads the tables of the demonstration: the cells of a line are separated by tabs. */
import { readFileSync } from 'node:fs';

/** Reads a table with a line for each record, below a line of names. */
export function readTable<Row>(name: string): Row[] {
  const [names, ...lines] = cellsOf(name);
  return lines.map((cells) => recordOf<Row>(names!, cells));
}

/** Reads a table with a column for each record, beside a column of names. */
export function readColumns<Row>(name: string): Row[] {
  const lines = cellsOf(name);
  const names = lines.map((cells) => cells[0]!);
  return lines[0]!.slice(1).map((_, at) =>
    recordOf<Row>(
      names,
      lines.map((cells) => cells[at + 1] ?? ''),
    ),
  );
}

function cellsOf(name: string): string[][] {
  const text = readFileSync(new URL(`${name}.tsv`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

/** Cells with JSON have its value, other cells are text, and empty ones are missing. */
function recordOf<Row>(names: readonly string[], cells: readonly string[]): Row {
  const entries = names.map((name, at) => [name, cells[at] ?? ''] as const);
  const filled = entries.filter(([, cell]) => cell !== '');
  return Object.fromEntries(filled.map(([name, cell]) => [name, readCell(cell)])) as Row;
}

function readCell(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
