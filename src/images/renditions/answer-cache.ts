/**
 * Answers with copies of public pictures, given again for a moment without a question to the database. Always true:
 * only answers for everyone are cached; the age of one counts from before the database was asked whether the picture is
 * public; the answers take at most `maxBytes`. So a picture that becomes private is refused by every process within
 * `CACHED_MS` (docs/contract.md#showing-pictures).
 */
import type { Clock } from '../../../supervisors/ports.ts';
import { createCache } from '../../cache.ts';
import type { HttpRequest, HttpResponse, ReadyAnswer } from '../../http/message.ts';

/** Half of what the contract allows: the rest is for a process that stalls between a question and its answer. */
export const CACHED_MS = 1_000;
/** What an answer takes besides its body and its name. */
const OVERHEAD_BYTES = 1_024;

type Request = Pick<HttpRequest, 'url' | 'headers'>;

export function createAnswerCache({ clock, maxBytes }: { clock: Clock; maxBytes: number }) {
  const cache = createCache<ReadyAnswer>({
    clock,
    maxAgeMs: CACHED_MS,
    maxSize: maxBytes,
    sizeOf: ({ body }, key) => body.length + key.length + OVERHEAD_BYTES,
  });
  return {
    /** The answer to an equal request, or null. A client that may hold an older copy is answered elsewhere. */
    find: (request: Request): ReadyAnswer | null =>
      request.headers.has('if-none-match') ? null : (cache.get(keyOf(request)) ?? null),
    /**
     * @param response the answer with a picture that is public; others are not cached.
     * @param askedAt when the question was not yet sent whether the picture is public.
     */
    set(request: Request, { status, headers, body }: HttpResponse, askedAt: number): void {
      if (status === 200 && body instanceof Uint8Array)
        cache.set(keyOf(request), { status, headers, body }, askedAt);
    },
  };
}

/** The address as it was sent, and the formats that the client takes. */
function keyOf({ url, headers }: Request): string {
  return `${url} ${headers.get('accept') ?? ''}`;
}
