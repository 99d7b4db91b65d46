/** The part of Grafana and its Infinity data source that the recipe uses, with all as shipped. */
import assert from 'node:assert/strict';
import { parseCsv, recordsOf } from './csv.ts';
import { sent } from './replay.ts';

// biome-ignore lint/suspicious/noExplicitAny: panels and variables have parameters of their own.
type Part = any;
type Row = Readonly<Record<string, unknown>>;

/**
 * The service that a dashboard asks, the range of time that it shows, in epoch seconds, and the
 * store that is chosen in place of the first one.
 */
export type BoardSettings = {
  readonly address: string;
  readonly key: string;
  readonly fromDate: number;
  readonly toDate: number;
  readonly chosen?: string;
};

/** Opens a dashboard: the rows of each variable with a query, and of each panel. */
export async function openBoard(board: Part, { address, key, chosen, ...range }: BoardSettings) {
  const values: Record<string, string> = {
    '__from:date:seconds': `${range.fromDate}`,
    '__to:date:seconds': `${range.toDate}`,
  };
  const filled = (text: string) =>
    text.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
      assert.ok(name in values, `the variable ${name} is unknown`);
      return values[name]!;
    });
  const rowsOf = async ({ url, url_options: options, ...query }: Part): Promise<Row[]> => {
    const headers = Object.fromEntries(options.headers.map((one: Part) => [one.key, one.value]));
    const { status, text } = await sent({
      method: options.method,
      url: address + filled(url),
      headers: {
        ...headers,
        'x-api-key': key,
        prefer: 'handling=strict',
        ...(options.data && { 'content-type': options.body_content_type }),
      },
      body: options.data && filled(options.data),
    });
    assert.equal(status, 200, text);
    return shownRows(recordsOf(parseCsv(text)), query);
  };
  const variables: Record<string, Row[]> = {};
  for (const { name, query, current, ...variable } of board.templating.list) {
    if (variable.type === 'datasource') continue;
    if (variable.type !== 'query') values[name] = current.value;
    else {
      const rows = await rowsOf(query.infinityQuery);
      variables[name] = rows;
      const ids = rows.map(({ __value }) => String(__value));
      const isAll = [current?.value].flat().includes('$__all');
      // A custom value of "All" is inserted as it is, whatever the format.
      values[`${name}:json`] = isAll ? variable.allValue : JSON.stringify(ids.slice(0, 1));
      values[`${name}:percentencode`] = encodeURIComponent(
        ids.find((id) => id === chosen) ?? ids[0]!,
      );
    }
  }
  const panels: Row[][] = [];
  for (const { targets } of board.panels) panels.push(await rowsOf(targets[0]));
  return { variables, panels };
}

/** The rows of a query under the names of its columns, those that pass its filter. */
function shownRows(rows: readonly Row[], { columns, filterExpression }: Part): Row[] {
  const shown = rows.map((row) => {
    const cells = columns.map(({ selector, text, type }: Part) => {
      const cell = row[selector];
      assert.ok(cell !== undefined, `no column ${selector}`);
      if (type === 'number') assert.ok(Number.isFinite(Number(cell)), `${selector}: ${cell}`);
      if (type === 'timestamp') assert.ok(Date.parse(String(cell)) > 0, `${cell}`);
      return [text, cell];
    });
    return Object.fromEntries(cells) as Row;
  });
  if (filterExpression === undefined) return shown;
  const [, name, operator, value] = /^(\w+) (==|!=) '(\w+)'$/.exec(filterExpression)!;
  return shown.filter((row) => (row[name!] === value) === (operator === '=='));
}
