/**
 * Answers with copies of public pictures, given again for a moment without a question to the database. Always true:
 * only answers for everybody are kept; the age of one counts from before the database was asked whether the picture is
 * public; the answers take at most `maxBytes`. So a picture that becomes private is refused by every process within
 * `KEPT_MS` (docs/contract.md#showing-pictures), and a crash loses nothing.
 */
import type { Clock } from '../../../supervisors/ports.ts';
import type { HttpRequest, HttpResponse, ReadyAnswer } from '../../http/message.ts';

/** Half of what the contract allows: the rest is for a process that stands still between a question and its answer. */
export const KEPT_MS = 1_000;
/** What an answer takes besides its body and its name. */
const OVERHEAD_BYTES = 1_024;

type Asked = Pick<HttpRequest, 'url' | 'headers'>;

interface Kept {
  answer: ReadyAnswer;
  askedAt: number;
  bytes: number;
}

export function createKeptAnswers({ clock, maxBytes }: { clock: Clock; maxBytes: number }) {
  // A Map keeps the order of insertion, so the oldest come first.
  const answers = new Map<string, Kept>();
  let held = 0;
  const isFresh = ({ askedAt }: Kept): boolean => {
    const age = clock.now() - askedAt;
    // A clock that was set back proves nothing.
    return age >= 0 && age < KEPT_MS;
  };
  const drop = (key: string): void => {
    held -= answers.get(key)?.bytes ?? 0;
    answers.delete(key);
  };
  return {
    /** The answer to an equal request, or null. A client that may hold an older copy is answered elsewhere. */
    find(request: Asked): ReadyAnswer | null {
      if (answers.size === 0 || request.headers.has('if-none-match')) return null;
      const kept = answers.get(keyOf(request));
      return kept !== undefined && isFresh(kept) ? kept.answer : null;
    },
    /**
     * @param response the answer with a picture that is public; others are not kept.
     * @param askedAt when the question was not yet sent whether the picture is public.
     */
    keep(request: Asked, { status, headers, body }: HttpResponse, askedAt: number): void {
      if (status !== 200 || !(body instanceof Uint8Array)) return;
      const key = keyOf(request);
      drop(key);
      const kept = {
        answer: { status, headers, body },
        askedAt,
        bytes: body.length + key.length + OVERHEAD_BYTES,
      };
      if (kept.bytes > maxBytes || !isFresh(kept)) return;
      answers.set(key, kept);
      held += kept.bytes;
      for (const [oldest, old] of answers) {
        if (held <= maxBytes && isFresh(old)) break;
        drop(oldest);
      }
    },
    /** Bytes held now. */
    get size() {
      return held;
    },
  };
}

/** The address as it was sent, and the formats that the client takes. */
function keyOf({ url, headers }: Asked): string {
  return `${url} ${headers.get('accept') ?? ''}`;
}
