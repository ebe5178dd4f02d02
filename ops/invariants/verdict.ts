/** What became of one question. `broken` alone means that something is wrong with the installation. */
export interface Verdict {
  readonly id: string;
  readonly sentence: string;
  readonly outcome: 'holds' | 'broken' | 'waiting' | 'not asked' | 'unanswered';
  /** The first of the offending rows. */
  readonly lines: readonly string[];
  /** How many there are. */
  readonly count: number;
  /** Why it was not asked, or what stood in the way. */
  readonly note: string | null;
}

/** Offenders shown of each invariant; the rest is counted. */
export const MAX_LINES = 20;

interface Question {
  readonly id: string;
  readonly sentence: string;
}

export const judged = (
  { id, sentence }: Question,
  { lines, count }: { lines: readonly string[]; count: number },
): Verdict => ({
  id,
  sentence,
  outcome: count === 0 ? 'holds' : 'broken',
  note: null,
  lines: lines.slice(0, MAX_LINES),
  count,
});

export const notAsked = ({ id, sentence }: Question, note: string): Verdict => ({
  id,
  sentence,
  outcome: 'not asked',
  lines: [],
  count: 0,
  note,
});

/** A query that failed; the others go on. Driver messages name hosts and rows, so only the code is reported. */
export function unanswered({ id, sentence }: Question, error: unknown): Verdict {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const note = code === STATEMENT_TIMEOUT ? 'took too long; try --timeout' : `failed with ${code}`;
  return { id, sentence, outcome: 'unanswered', lines: [], count: 0, note };
}
const STATEMENT_TIMEOUT = '57014';
