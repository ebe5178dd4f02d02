import { PROVEN_ELSEWHERE } from './elsewhere.ts';
import { MAX_LINES, type Verdict } from './verdict.ts';

const WORDS: Record<Verdict['outcome'], string> = {
  holds: 'ok',
  broken: 'BROKEN',
  waiting: 'waiting',
  'not asked': 'not asked',
  unanswered: 'NO ANSWER',
};
const ID_WIDTH = 5;
const WORD_WIDTH = 10;

/** Sorted by the invariants' numbers, whichever store was checked. */
export function inOrder(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

/** One line per invariant, followed by its breaches. The line about waiting actors is left out when there are none. */
export function render(verdicts: readonly Verdict[]): string {
  const told = verdicts.flatMap((verdict) => [lineOf(verdict), ...offenders(verdict)]);
  const elsewhere = PROVEN_ELSEWHERE.map(({ id, sentence, where }) =>
    line(id, 'elsewhere', `${sentence} (${where})`),
  );
  return `${[...told, ...elsewhere, '', summary(verdicts)].join('\n')}\n`;
}

const line = (id: string, word: string, text: string): string =>
  `${id.padEnd(ID_WIDTH)}${word.padEnd(WORD_WIDTH)} ${text}`;

const lineOf = ({ id, sentence, outcome, note }: Verdict): string =>
  line(id, WORDS[outcome], note === null ? sentence : `${sentence} (${note})`);

function offenders({ lines, count }: Verdict): string[] {
  const rest = count - lines.length;
  const more = rest > 0 ? [`… and ${rest} more; the first ${MAX_LINES} are shown`] : [];
  return [...lines, ...more].map((text) => `${' '.repeat(ID_WIDTH)}- ${text}`);
}

function summary(verdicts: readonly Verdict[]): string {
  const number = (outcome: Verdict['outcome']) => verdicts.filter((one) => one.outcome === outcome).length;
  const [broken, unanswered] = [number('broken'), number('unanswered')];
  const failing = [
    ...(broken > 0 ? [`${broken} broken`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ];
  return failing.length === 0
    ? `${number('holds')} invariants hold.`
    : `Not all invariants hold: ${failing.join(', ')}.`;
}
