/** The part of Google Apps Script that the recipes use. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { dayNumber, startOfDay } from '../../src/calendar/period.ts';
import { parseCsv } from './csv.ts';
import type { Ask } from './replay.ts';

type Cell = string | number;

/** A script that has been loaded; its functions are called by name. */
export type LoadedScript = { call(name: string, ...args: readonly unknown[]): unknown };

/** The surroundings of a script. */
export type ScriptParts = {
  readonly file: string;
  readonly ask: Ask;
  /** The clock, in epoch milliseconds. */
  readonly now: number;
  readonly properties: Map<string, string>;
  /** Changes the text of the script, such as a constant of it. */
  readonly changed?: (text: string) => string;
  /** Further objects that the script finds. */
  readonly globals?: Readonly<Record<string, unknown>>;
};

/** Loads a script with the services that Google gives it. */
export function loadScript({
  file,
  ask,
  now,
  properties,
  globals,
  ...parts
}: ScriptParts): LoadedScript {
  const store = {
    getProperty: (name: string) => properties.get(name) ?? null,
    setProperties: (more: Record<string, string>) => {
      for (const [name, value] of Object.entries(more)) properties.set(name, value);
    },
    deleteProperty: (name: string) => properties.delete(name),
  };
  const context = createContext({
    Date: dateAt(now),
    PropertiesService: { getScriptProperties: () => store, getUserProperties: () => store },
    UrlFetchApp: { fetch: fetcher(ask) },
    Utilities: { formatDate, parseDate, parseCsv, sleep() {} },
    ...globals,
  });
  const text = readFileSync(new URL(`../../recipes/${file}`, import.meta.url), 'utf8');
  runInContext(parts.changed?.(text) ?? text, context);
  return {
    call: (name, ...args) => (context[name] as (...args: readonly unknown[]) => unknown)(...args),
  };
}

function dateAt(now: number): DateConstructor {
  return class extends Date {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [now] : args) as [number]));
    }
  } as DateConstructor;
}

type FetchOptions = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly payload?: string;
  readonly followRedirects?: boolean;
};

function fetcher(ask: Ask) {
  return (url: string, options: FetchOptions) => {
    const { method, headers, contentType, payload, followRedirects } = options;
    assert.equal(followRedirects, false, 'a redirect would take the key along');
    const type = contentType === undefined ? {} : { 'content-type': contentType };
    const { status, text } = ask({
      method: method.toUpperCase(),
      url,
      headers: { ...headers, ...type },
      body: payload,
    });
    return { getResponseCode: () => status, getContentText: () => text, getHeaders: () => ({}) };
  };
}

function formatDate(date: Date, zone: string, format: string): string {
  assert.equal(format, 'yyyy-MM-dd');
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
}

function parseDate(text: string, zone: string, format: string): Date {
  assert.equal(format, 'yyyy-MM-dd');
  return new Date(startOfDay(zone, dayNumber(text))! * 1000);
}

/** A spreadsheet. */
export class Spreadsheet {
  readonly sheets = new Map<string, Cell[][]>();
  readonly #zone: string;

  constructor(zone: string) {
    this.#zone = zone;
  }

  getSpreadsheetTimeZone(): string {
    return this.#zone;
  }

  getSheetByName(name: string) {
    return this.sheets.has(name) ? this.#sheet(name) : null;
  }

  insertSheet(name: string) {
    this.sheets.set(name, []);
    return this.#sheet(name);
  }

  #sheet(name: string) {
    return {
      clearContents: () => this.sheets.set(name, []),
      setFrozenRows() {},
      getRange: (row: number, column: number, rows: number, columns: number) => ({
        setValues: (values: Cell[][]) => {
          assert.deepEqual([row, column, rows], [1, 1, values.length]);
          for (const one of values) assert.equal(one.length, columns, `a row of ${name}`);
          this.sheets.set(name, values);
        },
      }),
    };
  }
}

/** Builders like those for community connectors: setters return the builder, `build` its fields. */
function builder(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return new Proxy(fields, {
    get(target, name: string) {
      if (name === 'build') return () => ({ ...target });
      if (!name.startsWith('set')) return target[name];
      return (value: unknown) => {
        target[name.slice('set'.length)] = value;
        return builder(target);
      };
    },
  });
}

class Fields {
  readonly all: Record<string, unknown>[];

  constructor(all: Record<string, unknown>[] = []) {
    this.all = all;
  }

  newDimension() {
    return this.#add('DIMENSION');
  }

  newMetric() {
    return this.#add('METRIC');
  }

  #add(concept: string) {
    const field = { concept };
    this.all.push(field);
    return builder(field);
  }

  setDefaultDimension(id: string) {
    assert.ok(this.all.some((field) => field.Id === id));
  }

  setDefaultMetric(id: string) {
    this.setDefaultDimension(id);
  }

  forIds(ids: readonly string[]) {
    return new Fields(ids.map((id) => this.all.find((field) => field.Id === id)!));
  }

  build() {
    return this.all.map((field) => ({ ...field }));
  }
}

/** The service of Looker Studio for connectors. */
export const dataStudio = {
  createCommunityConnector: () => ({
    AuthType: { PATH_KEY: 'PATH_KEY' },
    FieldType: { TEXT: 'TEXT', NUMBER: 'NUMBER', YEAR_MONTH_DAY: 'YEAR_MONTH_DAY' },
    AggregationType: { SUM: 'SUM' },
    newAuthTypeResponse: () => builder(),
    getConfig() {
      const config: Record<string, unknown> = {};
      return Object.assign(builder(config), { newInfo: () => builder() });
    },
    getFields: () => new Fields(),
    newUserError() {
      const said: Record<string, unknown> = {};
      return Object.assign(builder(said), {
        throwException() {
          throw new Error(`${said.Text} ${said.DebugText}`);
        },
      });
    },
  }),
};
