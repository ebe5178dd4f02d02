import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultRules } from './faults/fault-rules.ts';
import { unauthenticated } from './http-answers.ts';
import type { Ledger } from './ledger.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { OutputFiles } from './output-files.ts';
import type { Clock, Prediction } from './prediction.ts';
import type { PredictionStore } from './prediction-store.ts';
import type { ViewContext } from './prediction-view.ts';
import type { Settings } from './settings.ts';

/** The parts of one running simulator, passed to every route. */
export interface SimulatorContext {
  clock: Clock;
  random: () => number;
  newPredictionId: () => string;
  /** The only accepted token; null accepts any non-empty one. */
  token: string | null;
  settings: Settings;
  rules: FaultRules;
  ledger: Ledger;
  store: PredictionStore;
  lifecycle: Lifecycle;
  files: OutputFiles;
  webhookSecret: string;
  /** Origin under which callers reach it, without a trailing slash. */
  publicUrl(): string;
}

/** One request being answered. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  /** Decoded capture groups of the route's pattern. */
  params: string[];
  context: SimulatorContext;
}

export function viewContext(context: SimulatorContext): ViewContext {
  const { outputTtlMs } = context.settings;
  return { publicUrl: context.publicUrl(), nowMs: context.clock.now(), outputTtlMs };
}

export function subjectOf(prediction: Prediction): { attemptId: string | null; prompt: string } {
  return { attemptId: prediction.attemptId, prompt: String(prediction.input.prompt ?? '') };
}

/** `Bearer` and the older `Token` scheme (docs/provider.md#replicates-predictions-api). @throws HttpProblem 401 */
export function requireToken({ req, context }: Exchange): void {
  const header = req.headers.authorization;
  if (!header) throw unauthenticated('You did not pass an authentication token');
  const token = /^(?:bearer|token) +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) throw unauthenticated();
  if (context.token === null) return;
  const given = Buffer.from(token);
  const wanted = Buffer.from(context.token);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw unauthenticated();
}
