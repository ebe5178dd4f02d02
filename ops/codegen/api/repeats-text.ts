import {
  MAX_ANSWER_BYTES,
  MAX_CALLS_PER_PERSON,
  REPEAT_DAYS,
} from '../../../persistence/accounts/idempotency-keys.ts';
import { type AfterCrash, REPEAT_RULES, WITHOUT_REPEATS } from '../../../src/repeats/repeat-rules.ts';
import { LEASE_MS } from '../../../src/repeats/repeats.ts';

/** The part of docs/api.md about repeated calls, with one line per call. */
export function repeatsText(): string {
  const lines = Object.entries(REPEAT_RULES).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    INTRODUCTION,
    '| call | after a crash between the work and its answer |',
    '| --- | --- |',
    ...lines.map(([operation, { afterCrash }]) => `| \`${operation}\` | ${AFTER_CRASH[afterCrash]} |`),
  ].join('\n');
}

const AFTER_CRASH: Record<AfterCrash, string> = {
  kept: 'the same answer',
  same: 'done again, which changes nothing; the same answer',
  NOT_FOUND: '`NOT_FOUND`: it is gone',
  CONFLICT: '`CONFLICT`: the tour has moved on',
  TOUR_ALREADY_OPEN: '`TOUR_ALREADY_OPEN`, while that tour is open',
};

const names = [...WITHOUT_REPEATS]
  .toSorted()
  .map((name) => `\`${name}\``)
  .join(', ');

const INTRODUCTION = `## Sending a call again

A call whose answer was lost may have been done. Send an \`Idempotency-Key\` with whatever changes something: 1 to 255 printable ASCII
characters, new for each call and the same for all its tries (36 random digits, or a UUID). Then a repeat is not done twice, and is
answered to the byte as the first try was. The header may be left out; then every try is a call of its own.

- Every mutation, upload and other changing route takes it. Sign-in does not, nor do ${names}: there it is not
  looked at. All of these calls need a session, so a key belongs to one person, one procedure or route, and one input.
- While the first try is under way, a repeat is answered 409 \`IDEMPOTENCY_KEY_IN_FLIGHT\` with \`Retry-After\`: send it again then.
- The same key with another input is answered 422 \`IDEMPOTENCY_KEY_REUSED\`. The input is the JSON, whatever the order of its fields; of an
  upload the text fields and the bytes of the file.
- A key that is empty, too long, not printable or sent twice is answered 400 \`INVALID_INPUT\`.
- Errors are kept like successes. Not kept are 5xx, 429, and 408 and 499, which belong to one connection: the next try is done.
- Permission is looked at first. A caller who is signed out, is no agent any more, or may not see the listing or tour any more that the
  call was about, is told that, and not the answer that was kept.
- An answer is kept for ${REPEAT_DAYS * 24} hours, and of one person the last ${MAX_CALLS_PER_PERSON}. One of more than ${MAX_ANSWER_BYTES / 1024} KiB is not kept: a repeat of what was done
  is answered 409 \`IDEMPOTENT_ANSWER_NOT_KEPT\`, an error of that size is found out anew.
- When a process of ours dies in the middle, a repeat is \`IDEMPOTENCY_KEY_IN_FLIGHT\` for at most ${LEASE_MS / 1000} s after the first try. Then it is
  done, unless it had been; the table says what it is answered if it had.
`;
