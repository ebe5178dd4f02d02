/** The result of one check. Only `broken` means that something is wrong with the installation. */
export interface Verdict {
  readonly id: string;
  readonly sentence: string;
  readonly outcome: 'holds' | 'broken' | 'waiting' | 'not asked' | 'unanswered';
  /** The first of the breaches. */
  readonly lines: readonly string[];
  /** The number of breaches. */
  readonly count: number;
  /** Why it was not checked, or why the check failed. */
  readonly note: string | null;
}

/** Breaches shown per invariant; the rest is counted. */
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

/** A failed query; the others continue. Driver messages contain hosts and rows, so only the code is reported. */
export function unanswered({ id, sentence }: Question, error: unknown): Verdict {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const note = code === STATEMENT_TIMEOUT ? 'took too long; try --timeout' : `failed with ${code}`;
  return { id, sentence, outcome: 'unanswered', lines: [], count: 0, note };
}
const STATEMENT_TIMEOUT = '57014';
