import { COST_PREFIX, COST_VARIABLES, UNREAD_TRACING_PREFIX, variableNames } from './settings.ts';

/** Read by the release command and by the reverse proxy, whose environment a role may share. */
const READ_BY_OTHERS = ['DATABASE_OWNER_URL', 'SITE_ADDRESS'];
const KNOWN: ReadonlySet<string> = new Set([
  ...variableNames('web'),
  ...variableNames('worker'),
  ...COST_VARIABLES,
  ...READ_BY_OTHERS,
]);
/** First words with which names of libraries and of hosting platforms begin, too. */
const SHARED_WORDS: ReadonlySet<string> = new Set(['GOOGLE', 'NEW', 'NODE', 'OTEL', 'SENTRY', 'WEB']);
const OWN_WORDS: ReadonlySet<string> = new Set(
  [...KNOWN]
    .filter((name) => name.includes('_'))
    .map(firstWord)
    .filter((word) => !SHARED_WORDS.has(word)),
);
/** Kubernetes adds the addresses of a namespace's services to the environment of its containers. */
const SERVICE_ADDRESS = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;
/** Shorter names differ by one letter from those of other programs. */
const LEAST_LETTERS = 6;

/** A variable that is no setting, and the setting that it resembles. */
export interface UnknownSetting {
  variable: string;
  /** Null when none is close. */
  meant: string | null;
}

/**
 * Variables that begin like a setting, or differ from one by a letter, and are none: misspelled, they would leave a
 * default in force without notice.
 */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): UnknownSetting[] {
  return Object.keys(env)
    .filter((name) => !KNOWN.has(name) && !isReadElsewhere(name))
    .flatMap((variable) => {
      const { name, letters } = nearest(variable);
      const isOurs = variable.includes('_') && OWN_WORDS.has(firstWord(variable));
      if (!isOurs && (letters > 1 || variable.length < LEAST_LETTERS)) return [];
      return { variable, meant: letters <= Math.max(1, variable.length / 4) ? name : null };
    });
}

/** Names with rules of their own (cross-rules.ts), and those that no person sets. */
function isReadElsewhere(name: string): boolean {
  return name.startsWith(COST_PREFIX) || name.startsWith(UNREAD_TRACING_PREFIX) || SERVICE_ADDRESS.test(name);
}

function firstWord(name: string): string {
  return name.split('_', 1)[0] ?? name;
}

function nearest(variable: string): { name: string; letters: number } {
  let found = { name: '', letters: Number.POSITIVE_INFINITY };
  for (const name of KNOWN) {
    const letters = differingLetters(variable, name);
    if (letters < found.letters) found = { name, letters };
  }
  return found;
}

/** Letters to add, to remove, to replace, or to swap with their neighbors. */
function differingLetters(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + same,
          swapped ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return cell(one.length, other.length);
}
