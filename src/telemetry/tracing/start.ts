import type { CommonConfig } from '../../config/config.ts';
import type { Logger } from '../logger.ts';
import type { Spans } from './spans.ts';

/** Minimum time between two log lines about an unavailable collector. */
const TOLD_EVERY_MS = 60_000;

/** Null when no endpoint is set (`OTEL_EXPORTER_OTLP_ENDPOINT`); then nothing is loaded. */
export async function startSpans(
  { tracing }: Pick<CommonConfig, 'tracing'>,
  logger: Pick<Logger, 'warn'>,
): Promise<Spans | null> {
  if (tracing === null) return null;
  const { openSpans } = await import('./opentelemetry.ts');
  return openSpans({ ...tracing, onLoss: logSeldom(logger) });
}

function logSeldom(logger: Pick<Logger, 'warn'>): (error: unknown, spans: number) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  return (err, spans) => {
    lost += spans;
    const now = performance.now();
    if (now - toldAt < TOLD_EVERY_MS) return;
    logger.warn(
      { err, spans: lost },
      'spans did not reach the collector and are lost; nothing else depends on it',
    );
    toldAt = now;
    lost = 0;
  };
}
