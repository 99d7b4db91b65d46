/**
 * Offset changes of a zone. `offsets[i]` (seconds east of UTC) holds from the epoch second
 * `starts[i]`;
 * `starts[0]` is not after the start of the range, and adjacent offsets differ.
 */
export type ZoneOffsets = {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
};

type Chunk = {
  readonly endEpochSeconds: number;
  readonly clock: ZoneOffsets;
  readonly calendar: ZoneOffsets;
};
type Zone = { readonly name: string; readonly chunks: Map<number, Chunk> };

/** The offsets of the clocks, or of `calendarOffsets`, in seconds east of UTC. */
export type OffsetKind = 'clock' | 'calendar';

/**
 * A period of constant offset (seconds east of UTC), from `start` until before `end`, in epoch
 * seconds.
 */
export type Stretch = {
  readonly startEpochSeconds: number;
  readonly endEpochSeconds: number;
  readonly offset: number;
};

const secondsPerDay = 86_400;

// The Gregorian calendar repeats after 146,097 days; 773 divides that, so chunks make up a cycle.
const chunkSeconds = 773 * secondsPerDay;
const chunksPerCycle = 146_097 / 773;

// No zone lists single changes after 2100: yearly rules apply, and one cycle serves all later ones.
const firstCyclicChunk = 62;

// Since 1966, two changes have been at least a week apart (Brazil in 2000, and Palestine around the
// Ramadans that are computed up to 2086), so a look every five days misses none. From 2088 on there
// are only yearly rules.
const stepDays = 5;
const sparseStepDays = 25;
const firstSparseChunk = 56;

// Yearly rules name weekdays of months, so most changes come 52 or 53 weeks after the last.
const weeksOfYears = [52, 53];

const namePattern = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

// The runtime also accepts abbreviations and System V names, which are not IANA names and often
// ambiguous (IST, CST).
const foreignPattern =
  /^(?:a[cegrs]t|aet|b[es]t|cat|c[ns]t|ctt|eat|ect|i[es]t|jst|mit|n[es]t|p[lnrs]t|sst|vst|systemv\/.*)$/;

const zonesByName = new Map<string, Zone>();
const zonesByCanonicalName = new Map<string, Zone>();
let latestName = '';
let latestZone: Zone | undefined;
let latestFormat: Intl.DateTimeFormat | undefined;

/**
 * Whether the text is an IANA zone name or alias, in any letter case; no offset or abbreviation.
 */
export function knownZone(name: string): boolean {
  return findZone(name) !== undefined;
}

/**
 * The offsets of a zone's clocks between two epoch seconds. Throws RangeError for an unknown zone.
 */
export function zoneOffsets(
  zone: string,
  fromEpochSeconds: number,
  toEpochSeconds: number,
): ZoneOffsets {
  return gather(zone, 'clock', fromEpochSeconds, toEpochSeconds);
}

/**
 * The offsets that give an instant its local day: `floor((epochSeconds + offset) / 86400)` never
 * decreases. They equal the offsets of `zoneOffsets`, except when clocks go back over midnight:
 * then the earlier offset holds until the new day begins again, because a day that has begun does
 * not end early.
 */
export function calendarOffsets(
  zone: string,
  fromEpochSeconds: number,
  toEpochSeconds: number,
): ZoneOffsets {
  return gather(zone, 'calendar', fromEpochSeconds, toEpochSeconds);
}

/** A zone's offset at an epoch second, in seconds east of UTC. Throws RangeError if unknown. */
export function offsetAt(zone: string, epochSeconds: number): number {
  const chunk = chunkAt(zone, epochSeconds);
  return chunk.clock.offsets[lastStart(chunk.clock.starts, epochSeconds)]!;
}

/**
 * The instant at which a zone's clocks show a time, given as epoch seconds as if it were UTC. If
 * clocks show the time twice, the first counts; if they skip it, the instant is later by the length
 * of the gap. (Temporal calls this `compatible`.)
 */
export function instantOfClock(zone: string, clockSeconds: number): number {
  // No zone changes its clocks twice within two days.
  const before = clockSeconds - offsetAt(zone, clockSeconds - secondsPerDay);
  const after = clockSeconds - offsetAt(zone, clockSeconds + secondsPerDay);
  const isShown = (instant: number) => instant + offsetAt(zone, instant) === clockSeconds;
  return !isShown(before) && isShown(after) ? after : before;
}

/** The period of constant offset around an epoch second. It may end at a chunk of the cache. */
export function stretchAt(zone: string, kind: OffsetKind, epochSeconds: number): Stretch {
  const chunk = chunkAt(zone, epochSeconds);
  const { starts, offsets } = chunk[kind];
  const position = lastStart(starts, epochSeconds);
  return {
    startEpochSeconds: starts[position]!,
    endEpochSeconds: starts[position + 1] ?? chunk.endEpochSeconds,
    offset: offsets[position]!,
  };
}

/** Whether two zones have equal clocks between two epoch seconds, and therefore the same days. */
export function sameDays(
  zoneA: string,
  zoneB: string,
  fromEpochSeconds: number,
  toEpochSeconds: number,
): boolean {
  if (requireZone(zoneA) === requireZone(zoneB)) return true;
  const left = zoneOffsets(zoneA, fromEpochSeconds, toEpochSeconds);
  const right = zoneOffsets(zoneB, fromEpochSeconds, toEpochSeconds);
  return (
    left.starts.length === right.starts.length &&
    left.offsets.every((offset, position) => offset === right.offsets[position]) &&
    left.starts.every((start, position) => start === right.starts[position])
  );
}

function findZone(name: string): Zone | undefined {
  // Checked before the cache, because some letters outside ASCII have an ASCII lower case.
  if (!namePattern.test(name)) return undefined;
  // One entry serves all letter cases, and unknown names are not cached, so callers cannot make it
  // grow.
  const key = name.toLowerCase();
  const found = zonesByName.get(key);
  if (found !== undefined) return found;
  if (foreignPattern.test(key)) return undefined;
  let canonicalName: string;
  try {
    canonicalName = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
  const zone = zonesByCanonicalName.get(canonicalName) ?? {
    name: canonicalName,
    chunks: new Map(),
  };
  zonesByCanonicalName.set(canonicalName, zone);
  zonesByName.set(key, zone);
  return zone;
}

function requireZone(name: string): Zone {
  // A report uses one zone hundreds of times in a row; comparing strings is cheaper than a look-up.
  if (name === latestName && latestZone !== undefined) return latestZone;
  const zone = findZone(name);
  if (zone === undefined) throw new RangeError(`Unknown time zone: ${name}`);
  latestName = name;
  latestZone = zone;
  return zone;
}

function gather(
  zoneName: string,
  kind: OffsetKind,
  fromEpochSeconds: number,
  toEpochSeconds: number,
): ZoneOffsets {
  const starts: number[] = [];
  const offsets: number[] = [];
  let instant = fromEpochSeconds;
  do {
    const stretch = stretchAt(zoneName, kind, instant);
    if (offsets.at(-1) !== stretch.offset) {
      // The first period starts with the range, so equal offsets compare equal.
      starts.push(Math.max(stretch.startEpochSeconds, fromEpochSeconds));
      offsets.push(stretch.offset);
    }
    instant = stretch.endEpochSeconds;
  } while (instant <= toEpochSeconds);
  return { starts, offsets };
}

function lastStart(starts: readonly number[], epochSeconds: number): number {
  let position = starts.length - 1;
  while (position > 0 && starts[position]! > epochSeconds) position -= 1;
  return position;
}

function chunkAt(zoneName: string, epochSeconds: number): Chunk {
  const zone = requireZone(zoneName);
  const index = Math.floor(epochSeconds / chunkSeconds);
  const known = zone.chunks.get(index);
  if (known !== undefined) return known;
  const cycles = Math.max(0, Math.floor((index - firstCyclicChunk) / chunksPerCycle));
  if (cycles === 0) {
    const chunk = discover(zone, index);
    zone.chunks.set(index, chunk);
    return chunk;
  }
  // Later cycles are derived from the first one each time, so the cache stays bounded.
  const shift = cycles * chunksPerCycle * chunkSeconds;
  const model = chunkAt(zoneName, epochSeconds - shift);
  const shifted = ({ starts, offsets }: ZoneOffsets) => ({
    starts: starts.map((start) => start + shift),
    offsets,
  });
  return {
    endEpochSeconds: model.endEpochSeconds + shift,
    clock: shifted(model.clock),
    calendar: shifted(model.calendar),
  };
}

function discover({ name, chunks }: Zone, index: number): Chunk {
  const format = offsetFormat(name);
  const earlier = chunks.get(index - 1)?.clock.starts ?? [];
  const startEpochSeconds = index * chunkSeconds;
  const endEpochSeconds = startEpochSeconds + chunkSeconds;
  const stepSeconds = (index < firstSparseChunk ? stepDays : sparseStepDays) * secondsPerDay;

  // A change just before the chunk can affect its first day, so the search starts two days earlier.
  let low = startEpochSeconds - 2 * secondsPerDay;
  let offset = probe(format, low);
  const starts = [low];
  const offsets = [offset];
  while (low < endEpochSeconds - 1) {
    const high = Math.min(low + stepSeconds, endEpochSeconds - 1);
    const offsetAfter = probe(format, high);
    if (offsetAfter !== offset) {
      starts.push(firstChange(format, low, high, offset, [...earlier, ...starts]));
      offsets.push(offsetAfter);
      offset = offsetAfter;
    }
    low = high;
  }
  const clock = { starts, offsets };
  return {
    endEpochSeconds,
    clock: trimmed(clock, startEpochSeconds),
    calendar: trimmed(
      { starts: starts.map((_, position) => calendarStart(clock, position)), offsets },
      startEpochSeconds,
    ),
  };
}

function offsetFormat(canonicalName: string): Intl.DateTimeFormat {
  // A formatter takes longer to make than the hundred looks of a chunk, and centuries of chunks of
  // one zone come in a row. Only one is cached, because each takes tens of kilobytes.
  if (latestFormat?.resolvedOptions().timeZone !== canonicalName) {
    latestFormat = new Intl.DateTimeFormat('en-US', {
      timeZone: canonicalName,
      timeZoneName: 'longOffset',
    });
  }
  return latestFormat;
}

function firstChange(
  format: Intl.DateTimeFormat,
  lowEpochSeconds: number,
  highEpochSeconds: number,
  offsetBefore: number,
  earlierChanges: readonly number[],
): number {
  let low = lowEpochSeconds;
  let high = highEpochSeconds;
  for (const earlier of earlierChanges)
    for (const weeks of weeksOfYears) {
      const guess = earlier + weeks * 7 * secondsPerDay;
      if (guess <= low || guess >= high) continue;
      if (probe(format, guess) === offsetBefore) low = guess;
      else if (probe(format, guess - 1) === offsetBefore) return guess;
      else high = guess;
    }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (probe(format, middle) === offsetBefore) low = middle;
    else high = middle;
  }
  return high;
}

function calendarStart({ starts, offsets }: ZoneOffsets, position: number): number {
  const start = starts[position]!;
  if (position === 0) return start;
  const dayBefore = Math.floor((start - 1 + offsets[position - 1]!) / secondsPerDay);
  const dayAfter = Math.floor((start + offsets[position]!) / secondsPerDay);
  return dayAfter < dayBefore ? dayBefore * secondsPerDay - offsets[position]! : start;
}

function trimmed({ starts, offsets }: ZoneOffsets, startEpochSeconds: number): ZoneOffsets {
  const first = lastStart(starts, startEpochSeconds);
  return { starts: [startEpochSeconds, ...starts.slice(first + 1)], offsets: offsets.slice(first) };
}

function probe(format: Intl.DateTimeFormat, epochSeconds: number): number {
  // The text ends in GMT, GMT+05:45 or, for local mean time, GMT-00:44:30.
  const text = format.format(epochSeconds * 1000);
  const sign = text.indexOf('GMT') + 3;
  if (sign === text.length) return 0;
  const [hours, minutes, seconds] = text.slice(sign + 1).split(':');
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0);
  return text[sign] === '-' ? -offset : offset;
}
