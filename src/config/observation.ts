/** The settings by which operators watch the service: its log, its metrics and its traces. */
import type { SettingSource } from './source.ts';

/** The levels of the log, from the fewest entries to the most. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** How much is logged, and in which form. */
export type LogSettings = {
  readonly level: (typeof logLevels)[number];
  readonly format: 'pretty' | 'json';
};

/** An address to listen on. */
export type ListeningAddress = { readonly host: string; readonly port: number };

/** The settings for watching the service. */
export type ObservationSettings = {
  readonly log: LogSettings;
  /** Where metrics are served; undefined for nowhere. */
  readonly metrics: ListeningAddress | undefined;
  /** Whether traces are sent to where the standard variables of OpenTelemetry say. */
  readonly hasTraces: boolean;
};

/** Reads them. On a terminal the log is pretty and quiet, so that people see what it says. */
export function readObservation(source: SettingSource, isTerminal: boolean): ObservationSettings {
  return {
    log: readLog(source, isTerminal),
    metrics: readAddress(source, 'VITRINE_METRICS', '127.0.0.1:9464'),
    hasTraces: readTraces(source),
  };
}

function readLog(source: SettingSource, isTerminal: boolean): LogSettings {
  const choice = <Name extends string>(name: string, names: readonly Name[], usual: Name): Name => {
    const text = (source.text(name) ?? usual) as Name;
    if (!names.includes(text))
      source.problems.push(`${name} must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
    return text;
  };
  return {
    level: choice('VITRINE_LOG_LEVEL', logLevels, isTerminal ? 'warn' : 'info'),
    format: choice('VITRINE_LOG_FORMAT', ['pretty', 'json'], isTerminal ? 'pretty' : 'json'),
  };
}

/** Reads an address to listen on besides that of the service; undefined if there is none. */
export function readAddress(
  source: SettingSource,
  name: string,
  example: string,
): ListeningAddress | undefined {
  const text = source.text(name);
  if (text === undefined) return undefined;
  const [, ofBrackets, plain, digits] =
    /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = ofBrackets ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { host, port };
  source.problems.push(`${name} must be a host and a port such as ${example}`);
  return undefined;
}

/** The addresses of traces, and the protocol by which they are sent. */
const traceEndpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const traceProtocols = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const traceProtocol = 'http/protobuf';

function readTraces(source: SettingSource): boolean {
  const isOff =
    source.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' ||
    source.text('OTEL_TRACES_EXPORTER') === 'none';
  const endpoints = traceEndpoints.map((name) =>
    source.url(name, ['http:', 'https:'], 'http://127.0.0.1:4318'),
  );
  if (isOff || endpoints.every((endpoint) => endpoint === undefined)) return false;
  for (const name of traceProtocols)
    if ((source.text(name) ?? traceProtocol) !== traceProtocol)
      source.problems.push(`${name} must be ${traceProtocol}`);
  return true;
}
