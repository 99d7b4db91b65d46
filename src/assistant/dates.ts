/** Dates as assistants write them, ISO 8601, as the seconds that the public API takes. */
import { dayNumber, endOfDay, isoDate, startOfDay } from '../calendar/period.ts';
import { knownZone } from '../calendar/zone.ts';
import { isObject, type JsonSchema } from '../contract/jsonSchema.ts';
import { epochSecondsMax } from '../contract/shapes.ts';
import { ToolRefusal } from './api.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a field is a date in epoch seconds. */
export function isDate({ type, maximum }: JsonSchema): boolean {
  return type === 'integer' && maximum === epochSecondsMax;
}

/** A day within a time zone as its first or last second; throws ToolRefusal where it has none. */
export function secondOfDay(zone: string, day: number, isEnd: boolean): number {
  const second = isEnd ? endOfDay(zone, day) : startOfDay(zone, day);
  if (second !== undefined) return second;
  throw new ToolRefusal(`400: ${isoDate(day)} does not exist in ${zone}: name another day`);
}

/**
 * Fields whose dates are epoch seconds. A day without a time lies in the time zone that the fields
 * name; if the operation takes no zone, in every zone of `zonesOfStores`.
 */
export async function inSeconds(
  schema: JsonSchema,
  given: Fields,
  zonesOfStores: () => Promise<readonly string[]>,
): Promise<Fields> {
  const named = zonesNamed(schema, given);
  let stores: Promise<readonly string[]> | undefined;
  const storesZones = () => {
    stores ??= zonesOfStores();
    return stores;
  };
  const read = async (within: JsonSchema, values: Fields): Promise<Fields> => {
    const entries = Object.entries(values).map(async ([name, value]) => {
      const field = within.properties?.[name];
      if (field === undefined) return [name, value];
      if (isObject(value)) return [name, await read(field, value)];
      if (!isDate(field) || typeof value !== 'string') return [name, value];
      if (!isDay(value)) return [name, secondOfInstant(name, value)];
      const zones = named ?? (await storesZones());
      const isEnd = /to/i.test(name);
      const seconds = zones.map((zone) => secondOfDay(zone, dayNumber(value), isEnd));
      return [name, isEnd ? Math.min(...seconds) : Math.max(...seconds)];
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  return await read(schema, given);
}

/** The zone that fields name, or UTC for a wrong one; undefined for an operation without zones. */
function zonesNamed({ properties = {} }: JsonSchema, given: Fields): string[] | undefined {
  const { reportOptions } = properties;
  const holders: [JsonSchema | undefined, unknown][] = [
    [properties.timezone, given.timezone],
    [
      reportOptions?.properties?.timezone,
      isObject(given.reportOptions) ? given.reportOptions.timezone : undefined,
    ],
  ];
  const holder = holders.find(([field]) => field !== undefined);
  if (holder === undefined) return undefined;
  const [, zone] = holder;
  return [typeof zone === 'string' && knownZone(zone) ? zone : 'UTC'];
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isoDate(dayNumber(text)) === text;
}

function secondOfInstant(name: string, text: string): number | string {
  if (/^\d+$/.test(text)) return Number(text);
  const hasOffset = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  const milliseconds = hasOffset ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(milliseconds)) return Math.floor(milliseconds / 1_000);
  throw new ToolRefusal(
    `400: ${name} must be a day such as 2026-10-01 or a time with its offset such as ` +
      '2026-10-01T09:30:00Z or a number of Unix epoch seconds',
  );
}
