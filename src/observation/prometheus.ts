/** Metrics for Prometheus, on a port of their own. */
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { type Meter, type Metric, metrics } from './meter.ts';

// An import would load everything it exports, clients included.
const { createServer } = process.getBuiltinModule('node:http');

/** Further label values of a metric are counted together, so that no client fills the memory. */
const seriesMax = 2_000;
/** The value of all their labels. */
const otherValue = 'other';
const connectionsMax = 32;
const requestMilliseconds = 10_000;

type Labels = Readonly<Record<string, string>>;
type Read = () =>
  | Iterable<readonly [Labels, number]>
  | Promise<Iterable<readonly [Labels, number]>>;

/** A meter whose metrics can be read as text. */
export type ReadableMeter = Meter & { readonly read: () => Promise<string> };

/** Makes a meter of the service, and of its process. */
export function createMeter(): ReadableMeter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const bounded = new Map<string, (labels: Labels) => Labels>();
  const reads = new Map<string, Read>();
  const counters = new Map<string, Counter<string>>();
  const histograms = new Map<string, Histogram<string>>();
  for (const [name, metric] of Object.entries<Metric>(metrics)) {
    const { type, help, labels, buckets } = metric;
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    bounded.set(name, boundedLabels());
    if (type === 'counter') counters.set(name, new Counter(options));
    else if (type === 'histogram')
      histograms.set(name, new Histogram({ ...options, buckets: [...(buckets ?? [])] }));
    else
      new Gauge({
        ...options,
        async collect() {
          this.reset();
          // A gauge that cannot be read now is missing, and the others are there.
          const values = await readSafely(reads.get(name));
          for (const [ofLabels, value] of values) this.set(bounded.get(name)!(ofLabels), value);
        },
      });
  }
  return {
    add: (name, labels, by = 1) => counters.get(name)!.inc(bounded.get(name)!(labels), by),
    observe: (name, labels, value) =>
      histograms.get(name)!.observe(bounded.get(name)!(labels), value),
    gauge: (name, read) => void reads.set(name, read as Read),
    read: () => registry.metrics(),
  };
}

async function readSafely(read: Read | undefined): Promise<Iterable<readonly [Labels, number]>> {
  try {
    return (await read?.()) ?? [];
  } catch {
    return [];
  }
}

/** Lets the first label values pass. */
function boundedLabels(): (labels: Labels) => Labels {
  const known = new Set<string>();
  return (labels) => {
    const key = Object.values(labels).join('\0');
    if (known.has(key)) return labels;
    if (known.size >= seriesMax)
      return Object.fromEntries(Object.keys(labels).map((name) => [name, otherValue]));
    known.add(key);
    return labels;
  };
}

/** A server of metrics. */
export type MetricsServer = {
  /** The address of the metrics, such as http://127.0.0.1:9464/metrics. */
  readonly address: string;
  close(): Promise<void>;
};

/** Serves the metrics of a meter. Rejects if it cannot listen. */
export async function serveMetrics(
  { read }: ReadableMeter,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: requestMilliseconds }, (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => {
        const headers = { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE };
        response.writeHead(200, headers).end(text);
      },
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
