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
const LONGEST_CODE = 60;
/** More than an honest file names. */
const MOST = 64;

/** The codes that are named anywhere in the bytes: in XMP, IPTC or a manifest. */
export function sourceTypesIn(bytes: Uint8Array): string[] {
  const codes = placesOf(bytes, VOCABULARY, MOST).map((at) => {
    const start = at + VOCABULARY.length;
    return /^[A-Za-z]+/.exec(latin(bytes.subarray(start, start + LONGEST_CODE)))?.[0] ?? '';
  });
  return [...new Set(codes)].filter((code) => code !== '');
}
