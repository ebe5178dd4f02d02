import type { AppliedFault } from './faults/fault-catalogue.ts';

/** The six statuses of the provider (docs/provider.md#replicates-predictions-api). */
const PREDICTION_STATUSES = ['starting', 'processing', 'succeeded', 'failed', 'canceled', 'aborted'] as const;
export type PredictionStatus = (typeof PREDICTION_STATUSES)[number];

export const TERMINAL_STATUSES = ['succeeded', 'failed', 'canceled', 'aborted'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** The webhook events that a caller can subscribe to (docs/provider.md#callbacks-of-the-provider). */
export const WEBHOOK_EVENTS = ['start', 'output', 'logs', 'completed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `files` are names in this prediction's folder; `value` is returned unchanged. */
export type PredictionOutput = { kind: 'files'; names: string[] } | { kind: 'value'; value: unknown };

/** Milliseconds since the epoch. A parameter, so that tests and restarts control the time. */
export interface Clock {
  now(): number;
}

export interface Prediction {
  id: string;
  /** Order of acceptance, from 1; the list is sorted by it. */
  seq: number;
  model: string;
  input: Record<string, unknown>;
  webhook: string | null;
  webhookEvents: WebhookEvent[] | null;
  /** Last path segment of the webhook URL: the caller's own id of this purchase. */
  attemptId: string | null;
  status: PredictionStatus;
  createdAtMs: number;
  startedAtMs: number | null;
  completedAtMs: number | null;
  /** From `Cancel-After`. */
  deadlineMs: number | null;
  startDelayMs: number;
  runDelayMs: number;
  /** True while the control endpoint keeps it from finishing. */
  held: boolean;
  output: PredictionOutput | null;
  error: string | null;
  logs: string;
  faults: AppliedFault[];
}

export function isTerminal(status: PredictionStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

/** The last non-empty path segment of a webhook URL, or null when there is none. */
export function attemptIdOf(webhook: string | null): string | null {
  if (webhook === null || !URL.canParse(webhook)) return null;
  return new URL(webhook).pathname.split('/').filter(Boolean).at(-1) ?? null;
}
