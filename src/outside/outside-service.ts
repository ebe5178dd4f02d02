import { isOfCaller } from '../errors/errors.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import { limitTime } from '../time.ts';

/** One request to a service of the operator, such as a router. */
export interface ServiceRequest {
  readonly url: string;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
}

export interface Caller {
  /** Turns are shared fairly between clients. */
  readonly client: string;
  readonly signal: AbortSignal;
}

/** Null when the service gives no answer in time, or one that cannot be read. */
export type Ask = <T>(
  caller: Caller,
  request: ServiceRequest,
  read: (answer: unknown) => T,
) => Promise<{ answer: T } | null>;

/** For the turn and the answer together. A page shows nothing rather than wait longer. */
const ANSWER_MS = 1_000;
const LANES = { lanes: 4, lanesEach: 2, mostWaiting: 200 };
/** Fifty travel times take 10 KB, an outline with a thousand corners 40 KB. */
const MOST_BYTES = 256 * 1024;

/** How long a process keeps the answers of a service. */
export const ANSWERS_KEPT_MS = 10 * 60_000;

/**
 * Asks a service of the operator, a few requests at a time. One that is down, slow or wrong gives no answers, and one line
 * in the log. It is never tried again for the same call.
 * @param service its name, for the log
 */
export function createAsk(service: string, problems: RejectionLog): Ask {
  const turns = createFairQueue(LANES);
  return async ({ client, signal }, request, read) => {
    const patience = limitTime(ANSWER_MS, signal);
    try {
      const task = () => answerTo(request, patience.signal);
      return { answer: read(await turns.run({ clients: [client], subject: '' }, task, patience.signal)) };
    } catch (error) {
      if (signal.aborted || isOfCaller(error)) throw error;
      problems.note(service, { reason: reasonOf(error) });
      return null;
    } finally {
      patience.release();
    }
  };
}

/**
 * Follows no redirect, and reads no more than a bound.
 * @returns the answer's JSON
 * @throws Error when it is not a JSON document with status 200; the signal's reason
 */
async function answerTo({ url, body }: ServiceRequest, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(url, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`it answered ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(`it answered more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Error('it answered no JSON');
  }
}

/** Never the address: it names where people live and work. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'ZodError' ? 'unexpected response format' : error.message.slice(0, 200);
}
