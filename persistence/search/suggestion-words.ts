import type { SqlValues } from '../database/sql-values.ts';

/** Typed text as conditions on places and addresses, and how near a place is. */

export const SUGGESTION_KINDS = [
  'city',
  'neighborhood',
  'postal_code',
  'address',
  'county',
  'state',
] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

export interface SuggestionQuestion {
  text: string;
  near: { latitude: number; longitude: number } | null;
  /** The maximum in all. */
  limit: number;
}

/** `text` is in the normal form of `search_text`, with a space before the first word. */
export interface SuggestionQuery extends SuggestionQuestion {
  words: readonly string[];
}

/** The class of what is merely similar: after every match. */
export const SIMILAR_CLASS = 4;

/** Without those that another one begins with: they say nothing more. */
export function longestWords(text: string): string[] {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}

const LETTERS_TO_COMPARE = 4;

/** Numbers that differ by a digit are different, not misspelt. */
export const isComparable = (word: string): boolean =>
  word.length >= LETTERS_TO_COMPARE && /\p{L}{3}/u.test(word);

/** Words that gazetteers write out and people abbreviate, or the reverse. */
const SAME_WORD = new Map([
  ...[
    ['st', 'saint'],
    ['ste', 'sainte'],
    ['ft', 'fort'],
    ['mt', 'mount'],
  ].flatMap(([short = '', long = '']) => [[short, long] as const, [long, short] as const]),
]);

/** The word begins a word of the column. `search_text` leaves no characters that LIKE would treat as wildcards. */
function beginsWord(values: SqlValues, column: string, word: string): string {
  const spellings = [word, SAME_WORD.get(word)].filter((spelling) => spelling !== undefined);
  const ways = spellings.map((spelling) => `${column} like ${values.add(`% ${spelling}%`, 'text')}`);
  return ways.length === 1 ? ways.join('') : `(${ways.join(' or ')})`;
}
export const everyWord = (values: SqlValues, column: string, words: readonly string[]) =>
  words.map((word) => beginsWord(values, column, word)).join(' and ');
export const anyWord = (values: SqlValues, column: string, words: readonly string[]) =>
  `(${words.map((word) => beginsWord(values, column, word)).join(' or ')})`;

/** 0: the name itself. 1: its beginning. 2: beginnings of its words. 3: some words match only where it lies. */
export function matchClass(values: SqlValues, column: string, { text, words }: SuggestionQuery): string {
  const whole = values.add(text, 'text');
  return `case when ${column} = ${whole} then 0 when starts_with(${column}, ${whole}) then 1
    when ${everyWord(values, column, words)} then 2 else 3 end`;
}

/**
 * Kilometres to the caller, exact enough for an order; a place without a position is far away. Rounded to a tenth of a
 * metre, because PostgreSQL cannot square the smallest numbers.
 */
export function distance(values: SqlValues, near: { latitude: number; longitude: number }): string {
  const latitude = values.add(Number(near.latitude.toFixed(6)), 'float8');
  const longitude = values.add(Number(near.longitude.toFixed(6)), 'float8');
  const turn = `abs(longitude - ${longitude})`;
  return `coalesce(111.2 * sqrt((latitude - ${latitude}) ^ 2
    + (least(${turn}, 360 - ${turn}) * cos(radians(${latitude}))) ^ 2), 20000)`;
}
