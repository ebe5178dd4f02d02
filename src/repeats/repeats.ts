import type { Pool, PoolClient } from 'pg';
import {
  type ClaimedCall,
  claimCall,
  keepAnswer,
  MAX_ANSWER_BYTES,
  releaseCall,
} from '../../persistence/accounts/idempotency-keys.ts';
import type { Chance, Clock } from '../../supervisors/ports.ts';
import { PublicError } from '../errors/errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RepeatableCall } from './repeatable-call.ts';

/** How an answer is serialized. */
export interface AnswerForm<T> {
  pack(answer: T): unknown;
  unpack(packed: unknown): T;
  /** The error response for anything that the work throws. */
  publicErrorOf(error: unknown): PublicError;
}

/**
 * Stores the answer in the transaction of the work, so that both or neither are committed. Throws when another call
 * has taken the row, or when the answer must not be kept: the work must not be committed then.
 */
export type Keep<T> = (client: PoolClient, answer: T) => Promise<void>;

/** For a call without a key. */
export const keepNothing: Keep<unknown> = async () => {};

/** No call lasts longer: the server ends an exchange without progress after this time, uploads included. */
export const LEASE_MS = 180_000;
const RETRY_AFTER_SECONDS = 1;

type Kept =
  | { ok: unknown }
  | { refused: Pick<PublicError, 'code' | 'message' | 'fields'> }
  | { tooLarge: true };
interface Parts {
  pool: Pool;
  clock: Clock;
  chance: Chance;
  logger: Logger;
}

/**
 * Calls that clients may repeat after a lost answer (docs/api.md#sending-a-call-again): the work is done once, and
 * a repeat gets the first answer. The key's row is inserted before the work begins; other calls then see the call
 * as in progress. The answer is stored after the work, or by the work in its own transaction (`keep`). If a process
 * dies before that, the first repeat after the lease takes the row and the work runs again; `repeat-rules.ts` says
 * for each call why that is harmless. Rights are checked before this.
 */
export function createRepeats(parts: Parts) {
  const { pool, clock, chance } = parts;
  return {
    /**
     * @throws PublicError IDEMPOTENCY_KEY_IN_FLIGHT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENT_ANSWER_NOT_KEPT, the errors
     *   of `work`
     */
    async once<T>(
      call: RepeatableCall,
      form: AnswerForm<T>,
      work: (keep: Keep<T>) => Promise<T>,
    ): Promise<T> {
      const at = clock.now();
      const claimed = { ...call, claim: chance.id() };
      const found = await claimCall(pool, { ...claimed, at, expiresAt: at + LEASE_MS });
      switch (found.outcome) {
        case 'claimed':
          return answerOnce(parts, claimed, form, work);
        case 'answered':
          return shown(JSON.parse(found.answer) as Kept, form);
        case 'not-shown':
          // The work's own checks decide the answer. If they allow the call after all, `keep` rejects, so the work
          // is not done twice.
          return work(() => Promise.reject(new PublicError('NOT_FOUND')));
        case 'in-flight':
          throw inFlight();
        case 'other-input':
          throw new PublicError('IDEMPOTENCY_KEY_REUSED');
      }
    },
  };
}

export type Repeats = ReturnType<typeof createRepeats>;

async function answerOnce<T>(
  parts: Parts,
  claimed: ClaimedCall,
  form: AnswerForm<T>,
  work: (keep: Keep<T>) => Promise<T>,
): Promise<T> {
  const { pool, logger } = parts;
  const settle = async (kept: string | null) => {
    try {
      if (kept === null) await releaseCall(pool, claimed);
      else await keepAnswer(pool, { ...claimed, answer: kept });
    } catch (err) {
      // The work is done and its answer is sent; a repeat is answered as after a crash.
      logger.warn({ err, operation: claimed.operation }, 'the answer to a repeatable call was not kept');
    }
  };
  const pack = (answer: T) => written({ ok: form.pack(answer) }) ?? written({ tooLarge: true }) ?? '';
  try {
    const answer = await work(async (client, given) => {
      if (!(await keepAnswer(client, { ...claimed, answer: pack(given) }))) throw inFlight();
    });
    await settle(pack(answer));
    return answer;
  } catch (error) {
    const shown = form.publicErrorOf(error);
    const { code, message, fields } = shown;
    // Too large to store: nothing was done, and a repeat fails in the same way.
    await settle(isLasting(shown) ? written({ refused: { code, message, fields } }) : null);
    throw error;
  }
}

/** False for errors that a retry may overcome: faults and outages of ours, limits, a disconnected client. */
function isLasting({ httpStatus }: PublicError): boolean {
  return httpStatus < 499 && ![408, 429].includes(httpStatus);
}

/** Null when it is too large to store. */
function written(kept: Kept): string | null {
  const text = JSON.stringify(kept);
  return Buffer.byteLength(text) > MAX_ANSWER_BYTES ? null : text;
}

function shown<T>(kept: Kept, form: AnswerForm<T>): T {
  if ('ok' in kept) return form.unpack(kept.ok);
  if (!('refused' in kept)) throw new PublicError('IDEMPOTENT_ANSWER_NOT_KEPT');
  const { code, message, fields } = kept.refused;
  throw new PublicError(code, fields === undefined ? { message } : { message, fields });
}

const inFlight = () =>
  new PublicError('IDEMPOTENCY_KEY_IN_FLIGHT', { retryAfterSeconds: RETRY_AFTER_SECONDS });
