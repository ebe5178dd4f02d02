import { request } from 'undici';
import type { FaultRuleInput } from './faults/fault-rules.ts';
import type { CreateEntry, LedgerEntry } from './ledger-entries.ts';
import type { TerminalStatus } from './prediction.ts';
import type { Settings, SettingsChange } from './settings.ts';

export type { FaultRuleInput } from './faults/fault-rules.ts';
export type {
  LedgerEntry,
  WebhookEntry,
} from './ledger-entries.ts';
export type { Settings, SettingsChange } from './settings.ts';

/** One accepted create, in the form that invariants use: `at` in ms since the epoch. */
export interface Purchase {
  at: number;
  predictionId: string;
  model: string | null;
  userId: string | null;
  faults: string[];
}

/** Key of purchases without an attempt in their webhook URL. */
const NO_ATTEMPT = '';

/** Accepted creates by provider attempt id (the last path segment of the webhook URL), in order of acceptance. */
export function purchases(ledger: readonly LedgerEntry[]): Map<string, Purchase[]> {
  const byAttempt = new Map<string, Purchase[]>();
  for (const entry of ledger) {
    if (entry.kind !== 'create' || !entry.accepted) continue;
    const key = entry.attemptId ?? NO_ATTEMPT;
    byAttempt.set(key, [...(byAttempt.get(key) ?? []), purchaseOf(entry)]);
  }
  return byAttempt;
}

function purchaseOf(entry: CreateEntry): Purchase {
  const { at, model, userId } = entry;
  return {
    at,
    predictionId: entry.predictionId ?? '',
    model,
    userId,
    faults: entry.faults.map(({ name }) => name),
  };
}

/** The provider's whole ledger, oldest first. `url` is the simulator's origin, here and below. */
export async function ledgerOf(url: string): Promise<LedgerEntry[]> {
  const { entries } = (await call(url, 'GET', { path: 'ledger' })) as { entries: LedgerEntry[] };
  return entries;
}

/** @returns the rule's id */
export async function addFault(url: string, rule: FaultRuleInput): Promise<number> {
  const { id } = (await call(url, 'POST', { path: 'faults', body: rule })) as { id: number };
  return id;
}

export async function clearFaults(url: string): Promise<void> {
  await call(url, 'DELETE', { path: 'faults' });
}

export async function changeSettings(url: string, change: SettingsChange): Promise<Settings> {
  return (await call(url, 'POST', { path: 'settings', body: change })) as Settings;
}

/** Ends `hold`; every held prediction continues. */
export async function releaseHeld(url: string): Promise<void> {
  await call(url, 'POST', { path: 'release', body: {} });
}

/** Ends a prediction now; resolves after the first try of its callback. */
export async function finishPrediction(
  url: string,
  predictionId: string,
  outcome: { status: TerminalStatus; error?: string; output?: unknown },
): Promise<void> {
  await call(url, 'POST', { path: `predictions/${predictionId}/finish`, body: outcome });
}

/** @throws Error with status and body for any answer that is not 2xx */
async function call(url: string, method: 'GET' | 'POST' | 'DELETE', target: Target): Promise<unknown> {
  const { path, body } = target;
  const answer = await request(`${url}/__control/${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text);
}

interface Target {
  path: string;
  body?: unknown;
}
