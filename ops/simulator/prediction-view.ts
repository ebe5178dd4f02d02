import { createHash } from 'node:crypto';
import { findFault, textOption } from './faults/fault-catalogue.ts';
import { isTerminal, type Prediction } from './prediction.ts';

export interface ViewContext {
  publicUrl: string;
  nowMs: number;
  outputTtlMs: number;
}

/**
 * Whether input, output and files of this prediction have been removed: by default one hour after its end
 * (docs/provider.md#outputs-and-inputs).
 */
export function isRemoved(prediction: Prediction, context: Omit<ViewContext, 'publicUrl'>): boolean {
  if (
    findFault(prediction.faults, 'output-gone')?.options.removed === true &&
    isTerminal(prediction.status)
  ) {
    return true;
  }
  if (prediction.completedAtMs === null) return false;
  return context.nowMs - prediction.completedAtMs >= context.outputTtlMs;
}

/**
 * The prediction object as the provider shows it (docs/provider.md#replicates-predictions-api): in answers, in lists
 * and in webhooks.
 */
export function viewPrediction(prediction: Prediction, context: ViewContext): Record<string, unknown> {
  const removed = isRemoved(prediction, context);
  const api = `${context.publicUrl}/v1/predictions/${prediction.id}`;
  const web = `${context.publicUrl}/p/${prediction.id}`;
  return {
    id: prediction.id,
    model: prediction.model,
    version: 'hidden',
    input: removed ? {} : redactInput(prediction.input),
    logs: removed ? '' : prediction.logs,
    output: removed ? null : outputOf(prediction, context.publicUrl),
    data_removed: removed,
    error: prediction.error,
    source: 'api',
    status: prediction.status,
    created_at: isoWithNanos(prediction.createdAtMs, `${prediction.id}:created`),
    ...(prediction.startedAtMs !== null && {
      started_at: isoWithNanos(prediction.startedAtMs, `${prediction.id}:started`),
    }),
    ...(prediction.completedAtMs !== null && {
      completed_at: isoWithNanos(prediction.completedAtMs, `${prediction.id}:completed`),
      metrics: metricsOf(prediction, prediction.completedAtMs),
    }),
    ...(prediction.deadlineMs !== null && { deadline: new Date(prediction.deadlineMs).toISOString() }),
    ...(prediction.webhook !== null && { webhook: prediction.webhook }),
    ...(prediction.webhookEvents !== null && { webhook_events_filter: prediction.webhookEvents }),
    urls: { get: api, cancel: `${api}/cancel`, web },
  };
}

/** As `viewPrediction`, with an undocumented status while that fault is active. */
export function viewPolled(prediction: Prediction, context: ViewContext): Record<string, unknown> {
  const view = viewPrediction(prediction, context);
  const fault = findFault(prediction.faults, 'unknown-status');
  if (fault && !isTerminal(prediction.status)) view.status = textOption(fault, 'status', 'queued');
  return view;
}

function outputOf(prediction: Prediction, publicUrl: string): unknown {
  if (prediction.output === null) return null;
  if (prediction.output.kind === 'value') return prediction.output.value;
  const urls = prediction.output.names.map((name) => `${publicUrl}/files/${prediction.id}/${name}`);
  return findFault(prediction.faults, 'output-string') ? (urls[0] ?? '') : urls;
}

function redactInput(input: Record<string, unknown>): Record<string, unknown> {
  return 'openai_api_key' in input ? { ...input, openai_api_key: '[REDACTED]' } : input;
}

function metricsOf(prediction: Prediction, completedAtMs: number): Record<string, number> {
  const total = { total_time: (completedAtMs - prediction.createdAtMs) / 1000 };
  if (prediction.startedAtMs === null) return total;
  return { predict_time: (completedAtMs - prediction.startedAtMs) / 1000, ...total };
}

/**
 * ISO 8601 in UTC with up to nine fraction digits, without trailing zeros, as the provider writes it. The digits
 * below the millisecond come from `salt`, so that the same moment always gives the same text.
 */
export function isoWithNanos(ms: number, salt: string): string {
  const below = createHash('sha256').update(salt).digest().readUInt32BE() % 1_000_000;
  const fraction = String(below).padStart(6, '0').replace(/0+$/, '');
  return new Date(ms).toISOString().replace('Z', `${fraction}Z`);
}
