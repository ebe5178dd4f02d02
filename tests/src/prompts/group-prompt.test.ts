import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  briefFaults,
  COLOURS,
  defaultBrief,
  FURNITURE_CATALOGUE,
  MATERIALS,
} from '../../../machines/furniture-catalogue.ts';
import { MAX_BRIEF } from '../../../machines/limits.ts';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import { GROUP_PROMPT_VERSION, renderPrompt } from '../../../src/prompts/staging-prompt.ts';

type Room = (typeof CANONICAL_ROOM_TYPES)[number];
type Style = (typeof CANONICAL_STYLES)[number];
const render = (roomType: Room, style: Style, brief = defaultBrief(roomType, style)) =>
  renderPrompt({ roomType, style, modifier: null, brief });
const plain = (roomType: Room, style: Style) => renderPrompt({ roomType, style, modifier: null }).prompt;
const COMBINATIONS = CANONICAL_ROOM_TYPES.flatMap((room) =>
  CANONICAL_STYLES.map((style) => [room, style] as const),
);

describe.each(COMBINATIONS)('%s in %s with a brief', (room, style) => {
  const { prompt } = render(room, style);

  test('is the prompt without one, and the brief before the rules', () => {
    const [before = '', rules = ''] = plain(room, style).split('Rules that outweigh');
    expect(prompt.startsWith(before)).toBe(true);
    expect(prompt.endsWith(`Rules that outweigh${rules}`)).toBe(true);
    expect(prompt.length).toBeGreaterThan(plain(room, style).length);
  });

  test('contains no id of the catalogue and no gap', () => {
    expect(prompt).not.toMatch(/_|undefined|null| {2}|\.\.|;\.|\n{3}/);
    expect(prompt.length).toBeLessThan(5_000);
  });
});

describe('the brief in a prompt', () => {
  test('names every piece, material and color, and what a second picture is for', () => {
    const brief = {
      pieces: ['media_unit', 'rug'],
      materials: ['walnut', 'black_metal'],
      colours: ['sage'],
    } as const;
    const { prompt, promptVersion } = render('TV_ROOM', 'MODERN', brief);
    expect(promptVersion).toBe('room-staging-v2.1');
    expect(prompt).toContain(
      '- Pieces: a low freestanding media unit carrying a television that is switched off; a rug.',
    );
    expect(prompt).toContain('- Materials: walnut, black metal.\n- Colours: sage.');
    expect(prompt).toContain('If a second picture is given, it shows the same TV and media room');
    expect(prompt).not.toContain('living room');
  });
});

describe('the catalogue', () => {
  test('has a default brief for every room and style, within its own rules', () => {
    for (const [room, style] of COMBINATIONS) {
      const brief = defaultBrief(room, style);
      expect(briefFaults(room, brief)).toEqual([]);
      for (const list of ['pieces', 'materials', 'colours'] as const) {
        expect(brief[list].length).toBeGreaterThan(0);
        expect(brief[list].length).toBeLessThanOrEqual(MAX_BRIEF[list]);
        expect(new Set(brief[list]).size).toBe(brief[list].length);
      }
    }
  });

  test('a TV room keeps its television', () => {
    const brief = { ...defaultBrief('TV_ROOM', 'MODERN'), pieces: ['rug'] as const };
    expect(briefFaults('TV_ROOM', brief)).toMatchObject([{ list: 'pieces', index: null }]);
  });
});

/**
 * Of every prompt of this version with its default brief, and of every word that a brief can bring in. It changes with
 * any word; then the version must change as well.
 */
test('the text of a version never changes', () => {
  const hash = createHash('sha256');
  for (const [room, style] of COMBINATIONS) hash.update(render(room, style).prompt);
  for (const { roomType, pieces } of FURNITURE_CATALOGUE.rooms)
    hash.update(render(roomType, 'MODERN', { pieces, materials: MATERIALS, colours: COLOURS }).prompt);
  expect([GROUP_PROMPT_VERSION, hash.digest('hex')]).toEqual([
    'room-staging-v2.1',
    '77386acd3c348230db1bfb20caaf80069127ff729d9f7ceaba20cfb478f39da6',
  ]);
});
