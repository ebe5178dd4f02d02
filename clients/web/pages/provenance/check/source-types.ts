import { placesOf } from './byte-search.ts';
import { latin } from './picture-kinds.ts';

/** How a picture came to be, in the press vocabulary (IPTC Digital Source Type), by what it means to a buyer. */
const MEANINGS = {
  trained: ['trainedAlgorithmicMedia'],
  compositeTrained: ['compositeWithTrainedAlgorithmicMedia'],
  algorithmic: ['algorithmicMedia', 'dataDrivenMedia'],
  synthetic: ['compositeSynthetic'],
  composite: ['composite', 'compositeCapture'],
  drawn: ['digitalCreation', 'digitalArt', 'softwareImage', 'virtualRecording'],
  edited: ['humanEdits', 'minorHumanEdits', 'algorithmicallyEnhanced'],
  screen: ['screenCapture'],
  captured: ['digitalCapture', 'computationalCapture', 'negativeFilm', 'positiveFilm', 'print'],
} as const;
export type SourceMeaning = keyof typeof MEANINGS;

const BY_CODE = new Map(
  Object.entries(MEANINGS).flatMap(([meaning, codes]) =>
    codes.map((code) => [code.toLowerCase(), meaning as SourceMeaning] as const),
  ),
);

/** What a code means; undefined for one that this page does not know. */
export const meaningOf = (code: string): SourceMeaning | undefined => BY_CODE.get(code.toLowerCase());

const VOCABULARY = new TextEncoder().encode('/digitalsourcetype/');
/** The longest first, as some begin with others. What follows a code in a manifest may be a letter too. */
const CODES = [...BY_CODE.keys()].toSorted((one, other) => other.length - one.length);
/** More than an honest file names. */
const MOST = 64;

/** The codes that are named anywhere in the bytes, in lower case: in XMP, IPTC or a manifest. */
export function sourceTypesIn(bytes: Uint8Array): string[] {
  const named = placesOf(bytes, VOCABULARY, MOST).map((at) => {
    const start = at + VOCABULARY.length;
    const text = latin(bytes.subarray(start, start + (CODES[0]?.length ?? 0))).toLowerCase();
    return CODES.find((code) => text.startsWith(code));
  });
  return [...new Set(named.filter((code) => code !== undefined))];
}
