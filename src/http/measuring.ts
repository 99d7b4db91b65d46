/** Reports requests to the meter, by the template of their route and never by their path. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LabelsOf, Meter } from '../observation/meter.ts';
import type { Tracer } from '../observation/tracer.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The status of a request whose client left before the answer. */
const abandonedStatus = 499;
const millisecondsPerSecond = 1_000;

/** Counts and times a request from here to its end. */
export type Measure = (request: FastifyRequest, reply: FastifyReply) => void;

/** Makes the measure of requests. */
export function createMeasure(meter: Meter): Measure {
  let inFlight = 0;
  meter.gauge('vitrine_http_requests_in_flight', () => [[{}, inFlight]]);
  return (request, reply) => {
    inFlight++;
    // This event always comes: after the answer, or when the client has left.
    reply.raw.once('close', () => {
      inFlight--;
      meter.observe(
        'vitrine_http_request_duration_seconds',
        labelsOf(request, reply),
        reply.elapsedTime / millisecondsPerSecond,
      );
    });
  };
}

function labelsOf(
  { method, routeOptions, is404 }: FastifyRequest,
  { raw }: FastifyReply,
): LabelsOf<'vitrine_http_request_duration_seconds'> {
  const isAbandoned = !raw.writableFinished || raw.statusCode === abandonedStatus;
  return {
    route: is404 ? 'none' : (routeOptions.url ?? 'none'),
    method: methods.has(method) ? method : 'other',
    status: isAbandoned ? 'abandoned' : `${Math.floor(raw.statusCode / 100)}xx`,
  };
}

/** Runs each request in a span, named by the template of its route. */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  server.addHook('onRequest', (request, reply, done) => {
    tracer.request((end) => {
      reply.raw.once('close', () => {
        const { route, method } = labelsOf(request, reply);
        const { statusCode } = reply.raw;
        const attributes = {
          'http.route': route,
          'http.request.method': method,
          'http.response.status_code': statusCode,
        };
        end(`${method} ${route}`, attributes, statusCode >= 500);
      });
      done();
    });
  });
}
