import {
  CANONICAL_STYLES,
  type CanonicalRoomType,
  type CanonicalStyle,
} from '../../../machines/vocabulary.ts';

const ROOM_WORDS: [CanonicalRoomType, RegExp][] = [
  ['LIVING_ROOM', /\bliving[ _-]?room/i],
  ['DINING_ROOM', /\bdining[ _-]?room/i],
  ['BEDROOM', /\bbed[ _-]?room/i],
  ['KITCHEN', /\bkitchen/i],
  ['BATHROOM', /\bbath[ _-]?room/i],
  ['OFFICE', /\boffice/i],
];
/** Checked first: such a prompt may well add "not a living room". */
const TV_ROOM_WORDS = /\b(tv|media)([ _/-]+media)?[ _-]?room/i;

/** The room and style in a prompt, by the first words that name one; a living room and modern otherwise. */
export function readPrompt(prompt: string): { room: CanonicalRoomType; style: CanonicalStyle } {
  const styleWords = CANONICAL_STYLES.map((style): [CanonicalStyle, RegExp] => [
    style,
    new RegExp(`\\b${style}`, 'i'),
  ]);
  const style = earliest(prompt, styleWords) ?? 'MODERN';
  if (TV_ROOM_WORDS.test(prompt)) return { room: 'TV_ROOM', style };
  return { room: earliest(prompt, ROOM_WORDS) ?? 'LIVING_ROOM', style };
}

function earliest<Name>(prompt: string, words: [Name, RegExp][]): Name | undefined {
  const found = words
    .map(([name, pattern]) => ({ name, at: prompt.search(pattern) }))
    .filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at)[0]?.name;
}
