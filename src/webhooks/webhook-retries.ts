import type { TurnResult, WebhookTurn } from '../../persistence/webhooks/sending.ts';
import type { WebhookAnswer } from './webhook-client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** After each try that failed; the last one repeats. */
const WAITS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
];
/** A delivery is tried for so long after its first try. */
export const TRIED_MS = 72 * HOUR;
/** What `Retry-After` asks for is kept to a day. */
const LONGEST_ASKED_MS = 24 * HOUR;
/** The waits of an endpoint that does not answer, whatever is to be sent. */
const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;

type Tried = Pick<WebhookTurn, 'attempts' | 'firstAttemptAt' | 'deliveredAt' | 'failures'>;
type Verdict = Omit<TurnResult, 'tookMs' | 'at'>;

/**
 * What follows from an answer (docs/contract.md#webhooks-out). A delivery is tried for 72 hours, with growing waits. The
 * endpoint is off when a delivery has failed for so long and nothing else was taken since its first try, and at once when
 * it answers 410. One that does not answer, or asks for time, is not called for anything else until then.
 */
export function verdictOf(tried: Tried, answer: WebhookAnswer, at: number): Verdict {
  const plain = { nextAttemptAt: at, endpointAt: at, failures: 0, status: answer.status, problem: null };
  if (answer.kind === 'taken') return { ...plain, state: 'DELIVERED', off: null };
  if (answer.kind === 'gone') return { ...plain, state: 'FAILED', problem: 'STATUS', off: 'GONE' };
  const { problem, status } = answer;
  const { attempts, firstAttemptAt, deliveredAt } = tried;
  const lastTryAt = firstAttemptAt + TRIED_MS;
  const asked = Math.min(answer.waitMs ?? 0, LONGEST_ASKED_MS);
  const isAway = status === null || status === 429 || status === 503;
  const failures = isAway ? tried.failures + 1 : 0;
  const pause = isAway ? Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS) : 0;
  const failed = { status, problem, failures, endpointAt: at + (isAway ? Math.max(pause, asked) : 0) };
  if (at < lastTryAt) {
    const wait = Math.max(WAITS[Math.min(attempts, WAITS.length) - 1] ?? 0, asked);
    return { ...failed, state: 'WAITING', nextAttemptAt: Math.min(at + wait, lastTryAt), off: null };
  }
  const isDead = deliveredAt === null || deliveredAt < firstAttemptAt;
  return { ...failed, state: 'FAILED', nextAttemptAt: at, off: isDead ? 'FAILING' : null };
}
