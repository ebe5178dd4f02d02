import { OTHER_FIELDS } from './listing-fields.ts';

/**
 * Whether a text of a record names the home's own address: it has the number and the name of the street, in any order and
 * however they are written. A street without a number, or a number without a street, names no home.
 */
export function namesAddress(text: string, body: Readonly<Record<string, unknown>>): boolean {
  const words = new Set(wordsOf(text));
  return addressesOf(body).some(
    ({ number, street }) => words.has(number) && street.every((one) => words.has(one)),
  );
}

interface StreetAddress {
  readonly number: string;
  readonly street: readonly string[];
}

const [NUMBER, , NAME] = OTHER_FIELDS.street;
/** Directions and kinds of streets are left out, or written in another way. */
const VAGUE =
  /^(?:[news]|[ns][ew]|north|south|east|west|(?:north|south)(?:east|west)|st|street|ave?|avenue|rd|road|ln|lane|ct|court|dr|drive|blvd|boulevard|way|pl|place|ter|terrace|cir|circle|hwy|highway|pkwy|parkway|unit|apt|#)$/;

/** The parts of its street, and the address in one line: a record may have either, or two that differ. */
function addressesOf(body: Readonly<Record<string, unknown>>): StreetAddress[] {
  const lines = [
    `${textOf(body[NUMBER])} ${textOf(body[NAME])}`,
    ...OTHER_FIELDS.address.map((name) => textOf(body[name]).split(',')[0] ?? ''),
  ];
  return lines.flatMap((line) => {
    const [number, ...rest] = wordsOf(line);
    if (number === undefined || !/\d/.test(number)) return [];
    const street = nameOf(rest);
    return street.length === 0 ? [] : [{ number, street }];
  });
}

/** The name itself: what stands before the kind of street, without a direction. What follows is a unit or a town. */
function nameOf(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !VAGUE.test(word));
  if (first === -1) return words;
  const end = words.findIndex((word, index) => index > first && VAGUE.test(word));
  return words.slice(first, end === -1 ? undefined : end);
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
