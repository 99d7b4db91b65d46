/** Spans for OpenTelemetry, sent to where its standard variables say. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Tracer } from './tracer.ts';

/** A tracer that sends its spans. */
export type SendingTracer = Tracer & {
  /** Sends the spans that have ended, and ends. */
  readonly close: () => Promise<void>;
};

/** Makes a tracer. The library reads the variables OTEL_* from the environment itself. */
export function openTracer(version: string): SendingTracer {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'vitrine', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('vitrine', version);
  const current = new AsyncLocalStorage<Context>();
  return {
    begin(name, attributes) {
      const span = tracer.startSpan(name, { attributes }, current.getStore() ?? ROOT_CONTEXT);
      return (error) => {
        if (error !== undefined) {
          const type = error instanceof Error ? error.name : typeof error;
          span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      };
    },
    request(proceed) {
      // Always a root: strangers must not decide what is traced.
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, ROOT_CONTEXT);
      current.run(trace.setSpan(ROOT_CONTEXT, span), proceed, (name, attributes, hasFailed) => {
        span.updateName(name).setAttributes(attributes);
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
    },
    // A collector that is away must not hold up a stop.
    close: () => provider.shutdown().catch(() => undefined),
  };
}
