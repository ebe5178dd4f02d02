/**
 * Crash reports to an ingest address (docs/contract.md#crash-reports): personal data off, one trace in ten, and a
 * filter that blanks the three credential headers and scrubs known secrets. Without an https address nothing is
 * loaded, patched or sent.
 */
import type { ErrorEvent, NodeOptions } from '@sentry/node';
import { createScrubber } from './scrub.ts';

const REDACTED_HEADERS = new Set(['cookie', 'set-cookie', 'authorization']);
const TRACE_SAMPLE_RATE = 0.1;

export interface CrashReportOptions {
  /** Null, or any value that is not https, means off. */
  dsn: string | null;
  role: string;
  nodeEnv?: string | null;
  secrets?: readonly string[];
  /** How envelopes are sent; by default, the SDK's own HTTP client. */
  transport?: NodeOptions['transport'];
}

export interface CrashReports {
  enabled: boolean;
  capture(error: unknown): void;
  /** Waits for reports being sent, at most `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>;
}

const OFF: CrashReports = { enabled: false, capture: () => {}, flush: async () => {} };

function redactHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      REDACTED_HEADERS.has(name.toLowerCase()) ? '[redacted]' : value,
    ]),
  );
}

/** Scrubs the JSON text, because the event is sent as JSON: no value can be missed. */
function scrubJson<T>(value: T, scrub: (text: string) => string): T {
  return JSON.parse(scrub(JSON.stringify(value))) as T;
}

/**
 * The event without credentials: headers blanked by name, parsed cookies and body removed, known secrets scrubbed
 * from every text.
 */
export function filterEvent(event: ErrorEvent, scrub: (text: string) => string): ErrorEvent {
  // The SDK's own metadata is cyclic and never sent.
  const { sdkProcessingMetadata, ...sent } = event;
  const filtered: ErrorEvent = { ...sent };
  if (sent.request) {
    const { cookies: _cookies, data: _data, ...request } = sent.request;
    filtered.request = request.headers ? { ...request, headers: redactHeaders(request.headers) } : request;
  }
  return { ...scrubJson(filtered, scrub), sdkProcessingMetadata };
}

/** Starts crash reporting when the address is https; call first thing in a process. */
export async function startCrashReports(options: CrashReportOptions): Promise<CrashReports> {
  const { dsn } = options;
  if (dsn === null || !URL.canParse(dsn) || new URL(dsn).protocol !== 'https:') return OFF;
  const sentry = await import('@sentry/node');
  const scrub = createScrubber(options.secrets ?? []);
  sentry.init({
    dsn,
    environment: options.nodeEnv ?? 'development',
    initialScope: { tags: { role: options.role } },
    tracesSampleRate: TRACE_SAMPLE_RATE,
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
    beforeSend: (event) => filterEvent(event, scrub),
    beforeSendSpan: (span) => scrubJson(span, scrub),
    ...(options.transport ? { transport: options.transport } : {}),
  });
  return {
    enabled: true,
    capture: (error) => void sentry.captureException(error),
    flush: async (timeoutMs) => void (await sentry.flush(timeoutMs)),
  };
}
