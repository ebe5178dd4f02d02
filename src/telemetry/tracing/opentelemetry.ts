/**
 * Spans by OpenTelemetry, sent to a collector by OTLP over HTTP. Only this file uses the SDK, and it is loaded only
 * when an endpoint is set. It owns the tracer provider, a bounded buffer and the exporter. Nothing is registered
 * globally: crash reporting has registered its own provider, and libraries that find a global one would send spans
 * whose contents were not reviewed here. While the collector is unavailable, spans that do not fit into the buffer
 * are lost. A crash of the process loses the spans of the last second and the open ones.
 */
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { endedBy } from '../../../supervisors/supervision/service.ts';
import { type DescribedError, describeError } from '../scrub.ts';
import { withoutNulls } from './attributes.ts';
import type { OpenSpan, SpanPlan, Spans, TraceContext } from './spans.ts';

export interface CollectorSettings {
  /** Base address of the collector; `/v1/traces` is added. */
  endpoint: string;
  headers: Record<string, string>;
  /** Share of traces that are recorded, 0 to 1. */
  ratio: number;
  serviceName: string;
  /** Called when this many finished spans did not reach the collector. */
  onLoss(error: unknown, spans: number): void;
}

const BATCH_DELAY_MS = 1_000;
const BATCH_SPANS = 512;
/** About four megabytes at most; further spans are dropped. */
const BUFFERED_SPANS = 4_096;
const EXPORT_TIMEOUT_MS = 5_000;
/** Batches are sent in sequence; only closing sends all remaining ones at once. */
const EXPORTS_AT_ONCE = BUFFERED_SPANS / BATCH_SPANS + 1;
/** Ids and codes are short; longer values are cut. */
const MAX_VALUE_LENGTH = 256;

const KINDS = { client: SpanKind.CLIENT, server: SpanKind.SERVER, consumer: SpanKind.CONSUMER } as const;
const NOWHERE: OpenSpan = { note() {}, fail() {} };

export function openSpans(settings: CollectorSettings): Spans {
  const contexts = new AsyncLocalStorageContextManager().enable();
  const provider = openProvider(settings);
  const tracer = provider.getTracer('proscenium');
  const parentOf = (within: SpanPlan['within']): Context => {
    if (within === 'around') return contexts.active();
    return within === 'nothing' ? ROOT_CONTEXT : contextOf(within);
  };
  const start = (plan: SpanPlan, parent: Context, startTime?: number): Span =>
    tracer.startSpan(
      plan.name,
      {
        kind: plan.kind === undefined ? SpanKind.INTERNAL : KINDS[plan.kind],
        attributes: withoutNulls(plan.attributes ?? {}),
        links: (plan.links ?? []).flatMap(linkTo),
        ...(startTime === undefined ? {} : { startTime }),
      },
      parent,
    );

  return {
    async run(plan, work) {
      const parent = parentOf(plan.within);
      if (plan.within === 'around' && trace.getSpan(parent) === undefined) return work(NOWHERE);
      const span = start(plan, parent);
      try {
        return await contexts.with(trace.setSpan(parent, span), () => work(openSpan(span)));
      } catch (error) {
        if (plan.isFailure?.(error) !== false) noteFailure(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    past(plan, startedAt) {
      start(plan, parentOf(plan.within), startedAt).end();
    },
    event(name, attributes) {
      trace.getSpan(contexts.active())?.addEvent(name, withoutNulls(attributes));
    },
    context: () => traceparentOf(contexts.active()),
    async close(limitMs) {
      // `onLoss` has reported every batch that did not arrive; the shutdown continues.
      await endedBy(provider.shutdown(), AbortSignal.timeout(Math.ceil(limitMs)));
      contexts.disable();
    },
  };
}

function openProvider({ endpoint, headers, ratio, serviceName, onLoss }: CollectorSettings): TracerProvider {
  const exporter = new OTLPTraceExporter({
    // Values given here are not read from the environment.
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: EXPORTS_AT_ONCE,
    // A connection kept open for the next batch would only have to be closed later.
    httpAgentOptions: { keepAlive: false },
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    // The root span decides for the whole trace.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingLosses(exporter, onLoss),
        maxQueueSize: BUFFERED_SPANS,
        maxExportBatchSize: BATCH_SPANS,
        scheduledDelayMillis: BATCH_DELAY_MS,
        // The exporter times out first and reports why.
        exportTimeoutMillis: EXPORT_TIMEOUT_MS + 1_000,
      }),
    ],
  });
}

function reportingLosses(exporter: SpanExporter, onLoss: CollectorSettings['onLoss']): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) onLoss(result.error, spans.length);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

const propagator = new W3CTraceContextPropagator();

function contextOf(traceparent: TraceContext): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}

function traceparentOf(context: Context): TraceContext | null {
  const carrier: { traceparent?: string } = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  return carrier.traceparent ?? null;
}

function linkTo(traceparent: TraceContext) {
  const context = trace.getSpanContext(contextOf(traceparent));
  return context === undefined ? [] : [{ context }];
}

function openSpan(span: Span): OpenSpan {
  return {
    note: (attributes) => void span.setAttributes(withoutNulls(attributes)),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  };
}

/** Types and codes only: a message may quote an address, a row or a person's text. The log has messages, scrubbed. */
function noteFailure(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  const described = error instanceof Error ? describeError(error, { withStack: false }) : null;
  const causes: string[] = [];
  for (let cause = described?.cause; cause !== undefined; cause = cause.cause) causes.push(named(cause));
  span.addEvent('exception', {
    'exception.type': described?.type ?? typeof error,
    ...(described?.code === undefined ? {} : { 'error.code': String(described.code) }),
    ...(causes.length === 0 ? {} : { 'error.causes': causes.join(', ') }),
  });
}

function named({ type, code }: DescribedError): string {
  return code === undefined ? type : `${type} ${code}`;
}
