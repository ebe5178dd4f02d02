import type { Pool } from 'pg';
import { endTurn, takeTurn, type WebhookTurn } from '../../persistence/webhooks/sending.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WebhookOutcome } from '../telemetry/metrics.ts';
import { webhookBody } from './webhook-body.ts';
import type { WebhookAnswer, WebhookClient } from './webhook-client.ts';
import { verdictOf } from './webhook-retries.ts';
import { type WebhookSecrets, webhookSignature } from './webhook-secrets.ts';

export interface WebhookSenderPorts {
  readonly pool: Pool;
  readonly client: Pick<WebhookClient, 'send'>;
  readonly secrets: Pick<WebhookSecrets, 'open'>;
  /** Of the site, without a slash at its end. */
  readonly origin: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly reporter: Reporter;
  readonly count: (outcome: WebhookOutcome) => void;
  /** Milliseconds. */
  readonly intervalMs: number;
}

/** Endpoints that are called at once. One that is slow holds one of them, for its turn. */
const LANES = 8;
/** A turn with less time than this left is not begun: another process may take it over before it ends. */
const LEAST_LEFT_MS = 10_000;

/**
 * Sends what webhooks wait for (docs/contract.md#webhooks-out), at least once: a sender that dies after a call and before
 * its commit leaves the delivery to be sent again, with the same id. Any number of processes may send.
 */
export function createWebhookSender(ports: WebhookSenderPorts): Sweeper {
  const { pool, clock, timers, intervalMs } = ports;
  return createSweeper({
    ...ports,
    name: 'webhooks',
    async sweep(draining) {
      let busy = 0;
      const lane = async (): Promise<void> => {
        while (!draining.aborted) {
          const taken = await takeTurn(pool, clock.now());
          if (taken.kind === 'turn') {
            busy += 1;
            await serve(ports, taken.turn).finally(() => {
              busy -= 1;
            });
          } else if (taken.kind === 'idle') {
            // A lane that is held up does not keep new events from the others.
            if (busy === 0) return;
            await timers.sleep(intervalMs, draining);
          }
        }
      };
      const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane));
      const failed = lanes.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  });
}

async function serve(ports: WebhookSenderPorts, turn: WebhookTurn): Promise<void> {
  const { pool, clock, reporter, count } = ports;
  const began = clock.now();
  const answer = await answerTo(ports, turn).catch((error: unknown): WebhookAnswer => {
    reporter.problem('a webhook could not be composed', error, { deliveryId: turn.id });
    return { kind: 'failed', problem: 'INTERNAL', status: null, waitMs: null };
  });
  const at = clock.now();
  const tookMs = Math.max(0, at - began);
  if (answer === 'secret-lost') {
    const ended = { nextAttemptAt: at, endpointAt: at, failures: 0, status: null, tookMs: null, at };
    await endTurn(pool, turn, { ...ended, state: 'FAILED', problem: 'INTERNAL', off: 'SECRET_LOST' });
    return count('off');
  }
  if (answer === 'late') return;
  const verdict = verdictOf(turn, answer, at);
  await endTurn(pool, turn, { ...verdict, tookMs, at });
  const outcomes = { DELIVERED: 'delivered', WAITING: 'later', FAILED: 'failed' } as const;
  count(verdict.off === null ? outcomes[verdict.state] : 'off');
}

/** `late`: the turn is left to whichever process takes it next. */
async function answerTo(
  { client, secrets, origin, clock }: WebhookSenderPorts,
  turn: WebhookTurn,
): Promise<WebhookAnswer | 'secret-lost' | 'late'> {
  const { id, endpointId, url, formerUntil, formerSecret, busyUntil } = turn;
  const at = clock.now();
  if (at > busyUntil - LEAST_LEFT_MS) return 'late';
  const secret = secrets.open(turn.secret, endpointId);
  if (secret === null) return 'secret-lost';
  const isRotating = formerSecret !== null && formerUntil !== null && at < formerUntil;
  const former = isRotating ? secrets.open(formerSecret, endpointId) : null;
  const body = webhookBody(turn, origin);
  const seconds = Math.floor(at / 1_000);
  const signed = [secret, ...(former === null ? [] : [former])].map((one) =>
    webhookSignature(one, { id, seconds, body }),
  );
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signed.join(' '),
    'user-agent': 'Proscenium-Webhooks/1',
  };
  return client.send({ url, headers, body }, at);
}
