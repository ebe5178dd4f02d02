/**
 * Crash reports to an ingest address (docs/contract.md#crash-reports): personal data off, one trace in ten, and a
 * filter for what is sent. Without an https address nothing is loaded, patched or sent.
 */
import type { BaseTransportOptions, ClientOptions, Transport } from '@sentry/core';
import { VERSION } from '../version.ts';
import { filterEvent, scrubbed } from './report-filter.ts';
import { createScrubber } from './scrub.ts';
import { crashSpans } from './tracing/crash-spans.ts';
import type { Spans } from './tracing/spans.ts';

const TRACE_SAMPLE_RATE = 0.1;

/** A fault that repeats says nothing new. */
const REPORTS_PER_MINUTE = 60;

/** A service that does not answer must not keep reports waiting. */
const ANSWER_MS = 10_000;

export interface CrashReportOptions {
  /** Null, or any value that is not https, means off. */
  dsn: string | null;
  role: string;
  nodeEnv?: string | null;
  secrets?: readonly string[];
  /** Share of traces that are sent, 0 to 1. */
  traceSampleRate?: number;
  /** Milliseconds on a clock that never goes back. */
  monotonicMs?: () => number;
  /** Called with the status of the answer to each report that was sent; undefined without an answer. */
  onAnswer?(status: number | undefined): void;
  /** How envelopes are sent; over HTTP unless given. */
  transport?: (options: BaseTransportOptions) => Transport;
}

/** The request that an error belongs to. */
export interface ReportedRequest {
  readonly requestId?: string;
  readonly method: string;
  /** The pattern of its route, or the procedure: never its address. */
  readonly route: string;
  readonly headers: { get(name: string): string | undefined };
}

export interface CrashReports {
  enabled: boolean;
  /** Sends a report of the error. @returns its id, or null while reports are off */
  capture(error: unknown, request?: ReportedRequest): string | null;
  /** Sends the remaining reports and traces, for at most `timeoutMs`; later ones are lost. Never rejects. */
  close(timeoutMs: number): Promise<void>;
  /** Where traces go; null while reports are off. */
  spans: Spans | null;
}

/** Reports that go nowhere. */
export const NO_CRASH_REPORTS: CrashReports = {
  enabled: false,
  capture: () => null,
  close: async () => {},
  spans: null,
};

/** True for an address to which reports are sent. */
const isIngestAddress = (dsn: string | null): dsn is string =>
  dsn !== null && URL.canParse(dsn) && new URL(dsn).protocol === 'https:';

/** Starts crash reporting when the address is https; call first thing in a process. */
export async function startCrashReports(options: CrashReportOptions): Promise<CrashReports> {
  const { dsn, traceSampleRate = TRACE_SAMPLE_RATE } = options;
  const { monotonicMs = () => performance.now() } = options;
  if (!isIngestAddress(dsn)) return NO_CRASH_REPORTS;
  const sentry = await loadSdk();
  const scrub = createScrubber(options.secrets ?? []);
  let minute = { since: Number.NEGATIVE_INFINITY, sent: 0 };
  const hasRoom = (): boolean => {
    if (monotonicMs() - minute.since >= 60_000) minute = { since: monotonicMs(), sent: 0 };
    minute.sent += 1;
    return minute.sent <= REPORTS_PER_MINUTE;
  };
  const settings: ClientOptions = {
    dsn,
    environment: options.nodeEnv ?? 'development',
    release: VERSION,
    initialScope: { tags: { role: options.role } },
    tracesSampleRate: traceSampleRate,
    // The others patch libraries, read the console and describe the machine.
    integrations: [sentry.eventFiltersIntegration(), sentry.linkedErrorsIntegration()],
    stackParser: sentry.createStackParser(sentry.nodeStackLineParser()),
    // Otherwise trace headers would be sent to the image provider and the object store, where they have no use.
    tracePropagationTargets: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      databaseQueryData: false,
      queues: false,
      stackFrameVariables: false,
      frameContextLines: 0,
    },
    beforeSend: (event) => (hasRoom() ? filterEvent(event, scrub) : null),
    beforeSendSpan: (span) => scrubbed(span, scrub),
    transport: options.transport ?? ((given) => overHttp(sentry, given)),
  };
  sentry.setAsyncLocalStorageAsyncContextStrategy();
  sentry.initAndBind(sentry.ServerRuntimeClient, settings);
  sentry.getClient()?.on('afterSendEvent', (_, { statusCode }) => options.onAnswer?.(statusCode));
  return {
    enabled: true,
    capture: (error, request) =>
      sentry.captureException(error, (scope) => {
        if (request === undefined) return scope;
        const { requestId, method, route, headers } = request;
        scope.setTags({ method, route, ...(requestId === undefined ? {} : { request_id: requestId }) });
        scope.setTransactionName(`${method} ${route}`);
        scope.addEventProcessor((event) => ({ ...event, request: { method, headers: presentOf(headers) } }));
        return scope;
      }),
    close: async (timeoutMs) => void (await sentry.close(timeoutMs)),
    spans: crashSpans(sentry),
  };
}

/**
 * The parts of the SDK that send errors and spans. Its package for Node.js instruments libraries, which is not wanted, and
 * brings tools of builds under a license that is not ours to deploy.
 */
async function loadSdk() {
  const [core, server, { setAsyncLocalStorageAsyncContextStrategy }] = await Promise.all([
    import('@sentry/core'),
    import('@sentry/core/server'),
    import('@sentry/server-utils'),
  ]);
  const { ServerRuntimeClient, nodeStackLineParser } = server;
  return { ...core, ServerRuntimeClient, nodeStackLineParser, setAsyncLocalStorageAsyncContextStrategy };
}

/** Sends envelopes by `fetch`. */
function overHttp(
  { createTransport }: Awaited<ReturnType<typeof loadSdk>>,
  options: BaseTransportOptions & { headers?: Record<string, string> },
): Transport {
  return createTransport(options, async ({ body }) => {
    const {
      status,
      headers,
      body: answer,
    } = await fetch(options.url, {
      method: 'POST',
      body: typeof body === 'string' ? body : Uint8Array.from(body),
      headers: options.headers ?? {},
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer?.cancel();
    return {
      statusCode: status,
      headers: {
        'x-sentry-rate-limits': headers.get('x-sentry-rate-limits'),
        'retry-after': headers.get('retry-after'),
      },
    };
  });
}

/** Which credentials came: the filter blanks their values. */
function presentOf(headers: ReportedRequest['headers']): Record<string, string> {
  const names = ['cookie', 'authorization'].filter((name) => headers.get(name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, '']));
}
