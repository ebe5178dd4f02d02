import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/eventually.ts';

/** A span as it was received, with its attributes as plain values. */
export interface SeenSpan {
  service: string;
  scope: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
  links: { traceId: string; spanId: string }[];
  isError: boolean;
  /** In milliseconds. */
  lasted: number;
}

/** A collector of OpenTelemetry traces (OTLP over HTTP, JSON) that stores what it receives, or fails on request. */
export interface Collector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: readonly SeenSpan[];
  /** Everything that was received, path and headers included. */
  readonly received: readonly { path: string; headers: IncomingHttpHeaders; body: string }[];
  /** How it answers from now on. `hang` receives and never answers. */
  answer: 'well' | 'with 500' | 'hang';
  ofTrace(traceId: string): SeenSpan[];
  /** Waits for a span that matches. */
  seen(what: string, fits: (span: SeenSpan) => boolean): Promise<SeenSpan>;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const spans: SeenSpan[] = [];
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    if (collector.answer === 'well') spans.push(...spansIn(JSON.parse(body) as ExportedTraces));
    reply(response, collector.answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: Collector = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received,
    answer: 'well',
    ofTrace: (traceId) => spans.filter((span) => span.traceId === traceId),
    seen: (what, fits) => eventually(() => spans.find(fits), { what: `the span of ${what}` }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}

function reply(response: ServerResponse, how: Collector['answer']): void {
  if (how === 'hang') return;
  response.writeHead(how === 'well' ? 200 : 500, { 'content-type': 'application/json' }).end('{}');
}

interface ExportedTraces {
  resourceSpans: {
    resource: { attributes: Pair[] };
    scopeSpans: { scope: { name: string }; spans: ExportedSpan[] }[];
  }[];
}
interface ExportedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Pair[];
  events: { name: string; attributes: Pair[] }[];
  links: { traceId: string; spanId: string }[];
  status: { code: number };
}
interface Pair {
  key: string;
  value: { stringValue?: string; boolValue?: boolean; intValue?: string | number; doubleValue?: number };
}

const ERROR = 2;

function spansIn({ resourceSpans }: ExportedTraces): SeenSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        scope: scope.name,
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || null,
        attributes: valuesOf(span.attributes),
        events: span.events.map(({ name, attributes }) => ({ name, attributes: valuesOf(attributes) })),
        links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
        isError: span.status.code === ERROR,
        lasted: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
      })),
    ),
  );
}

function valuesOf(pairs: readonly Pair[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}
