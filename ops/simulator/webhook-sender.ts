import { type Agent, request } from 'undici';
import {
  type AppliedFault,
  findFault,
  isBodyFault,
  numberOption,
  wireBody,
} from './faults/fault-catalogue.ts';
import type { Ledger } from './ledger.ts';
import type { WebhookEntry } from './ledger-entries.ts';
import { type Clock, isTerminal, type Prediction, type WebhookEvent } from './prediction.ts';
import type { Settings } from './settings.ts';
import { newWebhookSecret, signWebhook, webhookIdOf } from './webhook-signature.ts';

/**
 * A receiver that has not answered by then counts as not reached (docs/provider.md#callbacks-of-the-provider: "within a
 * few seconds").
 */
const ANSWER_TIMEOUT_MS = 10_000;
const REPLAY_AGE_S = 301;
/** After a restart, a callback is resumed only while its retries would still be running. */
const RESUME_SLACK_MS = 60_000;

interface Delivery {
  prediction: Prediction;
  event: WebhookEvent;
  url: string;
  webhookId: string;
  body: Buffer;
  type: string;
  retried: boolean;
  manner: 'genuine' | 'forged' | 'replayed';
  fault: string | null;
}

export interface WebhookSender {
  /**
   * Resolves after the first try; retries continue in the background. Sends nothing when the caller did not
   * subscribe to the event.
   */
  send(prediction: Prediction, event: WebhookEvent): Promise<void>;
  /** Resumes final callbacks that a crash left undelivered. */
  resume(predictions: readonly Prediction[]): void;
  close(): void;
}

interface SenderParts {
  ledger: Ledger;
  settings: Settings;
  clock: Clock;
  agent: Agent;
  secret: string;
  view(prediction: Prediction): Record<string, unknown>;
  log(line: string): void;
}

/**
 * Owns the callbacks. Each delivery attempt is in the ledger. The id of a callback is stable over its retries and over
 * restarts; the timestamp and signature are new for each try. Only `completed` is retried: on no connection, 4xx
 * and 5xx, with doubling waits; a redirect is neither followed nor retried. A crash between a delivery and its entry
 * repeats that delivery.
 */
class RetryingSender implements WebhookSender {
  readonly #parts: SenderParts;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #foreignSecret = newWebhookSecret();
  #closed = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  async send(prediction: Prediction, event: WebhookEvent): Promise<void> {
    if (this.#closed || !asksFor(prediction, event)) return;
    for (const delivery of deliveriesOf(prediction, event, this.#parts.view(prediction))) {
      await this.#tryOnce(delivery, 1);
    }
  }

  resume(predictions: readonly Prediction[]): void {
    const { settings, clock, ledger, view } = this.#parts;
    const windowMs = settings.webhookRetryDelaysMs.reduce((sum, delay) => sum + delay, RESUME_SLACK_MS);
    const tries = triesByWebhookId(ledger);
    for (const prediction of predictions) {
      if (!isTerminal(prediction.status) || !asksFor(prediction, 'completed')) continue;
      if (clock.now() - (prediction.completedAtMs ?? 0) > windowMs) continue;
      const delivery = deliveriesOf(prediction, 'completed', view(prediction))[0];
      const made = delivery ? (tries.get(delivery.webhookId) ?? { count: 0, final: false }) : undefined;
      if (delivery && made && !made.final) this.#schedule(delivery, made.count + 1, 0);
    }
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #tryOnce(delivery: Delivery, attempt: number): Promise<void> {
    const { agent, settings, ledger, clock } = this.#parts;
    const result = await post(agent, delivery, this.#signedHeaders(delivery));
    const retryDelay = settings.webhookRetryDelaysMs[attempt - 1];
    const failed = result.httpStatus === null || result.httpStatus >= 400;
    const again = failed && delivery.retried && retryDelay !== undefined;
    if (this.#closed) return;
    await ledger.append(entryOf(delivery, { ...result, attempt, final: !again, at: clock.now() }));
    if (again && !this.#closed) this.#schedule(delivery, attempt + 1, retryDelay);
  }

  #schedule(delivery: Delivery, attempt: number, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#tryOnce(delivery, attempt).catch((error) =>
        this.#parts.log(`webhook ${delivery.webhookId}: ${error}`),
      );
    }, delayMs);
    this.#timers.add(timer);
  }

  #signedHeaders({ webhookId: id, body, type, manner }: Delivery): Record<string, string> {
    const now = Math.floor(this.#parts.clock.now() / 1000);
    const timestamp = manner === 'replayed' ? now - REPLAY_AGE_S : now;
    const secret = manner === 'forged' ? this.#foreignSecret : this.#parts.secret;
    return {
      'content-type': type,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secret, { id, timestamp, body }),
    };
  }
}

export function createWebhookSender(parts: SenderParts): WebhookSender {
  return new RetryingSender(parts);
}

function triesByWebhookId(ledger: Ledger): Map<string, { count: number; final: boolean }> {
  const tries = new Map<string, { count: number; final: boolean }>();
  for (const entry of ledger.entries()) {
    if (entry.kind === 'webhook') tries.set(entry.webhookId, { count: entry.attempt, final: entry.final });
  }
  return tries;
}

/** Without a filter: outputs and the end (docs/provider.md#callbacks-of-the-provider). */
function asksFor(prediction: Prediction, event: WebhookEvent): boolean {
  if (prediction.webhook === null || findFault(prediction.faults, 'webhook-never')) return false;
  if (prediction.status === 'aborted' && findFault(prediction.faults, 'aborted')?.options.webhook !== true) {
    return false;
  }
  return (prediction.webhookEvents ?? ['output', 'completed']).includes(event);
}

/** The deliveries of one event, in order: one, unless a fault changes or adds some. */
function deliveriesOf(
  prediction: Prediction,
  event: WebhookEvent,
  view: Record<string, unknown>,
): Delivery[] {
  const { bytes, type } = wireBody(
    event === 'output' ? { ...view, status: 'processing' } : view,
    prediction.faults.find(isBodyFault),
  );
  const genuine: Delivery = {
    prediction,
    event,
    url: prediction.webhook ?? '',
    webhookId: webhookIdOf(prediction.id, event),
    body: bytes,
    type,
    retried: event === 'completed',
    manner: 'genuine',
    fault: null,
  };
  if (event !== 'completed') return [genuine];
  const fault = prediction.faults.find((applied) => applied.name.startsWith('webhook-'));
  return fault ? faultyDeliveries(genuine, fault, view) : [genuine];
}

function faultyDeliveries(genuine: Delivery, fault: AppliedFault, view: Record<string, unknown>): Delivery[] {
  const named = { ...genuine, fault: fault.name };
  const withOwnId = (suffix: string) => webhookIdOf(genuine.prediction.id, `completed:${suffix}`);
  switch (fault.name) {
    case 'webhook-duplicated': {
      const copies = Array.from({ length: numberOption(fault, 'copies', 2) - 1 }, (_, index) => index);
      const id = (index: number) =>
        fault.options.newId === true ? withOwnId(`copy${index}`) : named.webhookId;
      return [named, ...copies.map((index) => ({ ...named, webhookId: id(index), retried: false }))];
    }
    case 'webhook-out-of-order': {
      const older = {
        ...view,
        status: 'processing',
        output: null,
        completed_at: undefined,
        metrics: undefined,
      };
      const stale = { ...named, webhookId: withOwnId('older'), body: wireBody(older).bytes, retried: false };
      return [named, stale];
    }
    case 'webhook-forged': {
      const forged: Delivery = { ...named, webhookId: withOwnId('forged'), manner: 'forged' };
      return fault.options.genuineToo === true ? [{ ...forged, retried: false }, genuine] : [forged];
    }
    case 'webhook-replayed': {
      const replay: Delivery = { ...named, manner: 'replayed' };
      return fault.options.genuineToo === true ? [genuine, { ...replay, retried: false }] : [replay];
    }
    default:
      return [named];
  }
}

async function post(
  agent: Agent,
  delivery: Delivery,
  headers: Record<string, string>,
): Promise<{ httpStatus: number | null; problem: string | null }> {
  try {
    const answer = await request(delivery.url, {
      method: 'POST',
      headers,
      body: delivery.body,
      dispatcher: agent,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await answer.body.dump();
    return { httpStatus: answer.statusCode, problem: null };
  } catch (error) {
    return { httpStatus: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

function entryOf(
  delivery: Delivery,
  result: Pick<WebhookEntry, 'at' | 'attempt' | 'httpStatus' | 'problem' | 'final'>,
): WebhookEntry {
  return {
    kind: 'webhook',
    ...result,
    predictionId: delivery.prediction.id,
    attemptId: delivery.prediction.attemptId,
    webhookId: delivery.webhookId,
    event: delivery.event,
    status: delivery.prediction.status,
    fault: delivery.fault,
  };
}
