import { describe, expect, test } from 'vitest';
import { alteredLabel, MEDIA_ALTERATIONS } from '../../../../machines/disclosure/alterations.ts';
import { PROFILES } from '../../../../machines/disclosure/profiles.ts';
import { DISCLOSURE_LABEL } from '../../../../machines/vocabulary.ts';
import { isDrawable, labelOverlay } from '../../../../src/images/decoding/burned-label.ts';
import { renderRendition } from '../../../../src/images/decoding/render.ts';
import { planRendition } from '../../../../src/images/decoding/rendition-plan.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { stagedXmp } from '../../../../src/images/marks/xmp.ts';

const grey = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
const SOURCE = { pad: null };
const MARK = { name: 'x1', xmp: stagedXmp('https://example.com/provenance/1'), isSigned: false };

async function copy(width: number, height: number, burnedLabel: string | null) {
  const size = { width, height };
  const asked = { width: null, height: null, fit: 'contain', format: 'jpeg', quality: 90 } as const;
  const plan = planRendition(asked, size, 'jpeg', MARK);
  return renderRendition(await grey(width, height), plan, { ...SOURCE, burnedLabel });
}

/** Shares of dark and light pixels in a part of the picture, of 0 to 1 in width and height. */
async function tones(bytes: Buffer, [left, top, right, bottom]: readonly [number, number, number, number]) {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  let [dark, light, all] = [0, 0, 0];
  for (let y = Math.floor(top * info.height); y < bottom * info.height; y += 1)
    for (let x = Math.floor(left * info.width); x < right * info.width; x += 1) {
      const value = data[y * info.width + x] ?? 0;
      if (value < 60) dark += 1;
      if (value > 200) light += 1;
      all += 1;
    }
  return { dark: dark / all, light: light / all };
}

test('the label that pictures have can be drawn', () => {
  const drawnWords = Object.values(PROFILES).map((profile) => ` · ${profile.drawnWords ?? ''}`);
  for (const text of [DISCLOSURE_LABEL, ...MEDIA_ALTERATIONS.map(alteredLabel), ...drawnWords])
    expect([text, isDrawable(text)]).toEqual([text, true]);
  expect(isDrawable('é')).toBe(false);
  expect(() => labelOverlay('é', { width: 100, height: 100 })).toThrow('no drawing');
});

describe.each([
  ['wide', 1600, 900],
  ['tall', 700, 1400],
  ['small', 160, 120],
] as const)('on a %s picture', (_, width, height) => {
  test('light letters stand on a dark box at the lower left, and nothing else changes', async () => {
    const [plain, labeled] = [await copy(width, height, null), await copy(width, height, DISCLOSURE_LABEL)];
    const corner = [0, 0.7, 1, 1] as const;
    expect(await tones(plain, corner)).toEqual({ dark: 0, light: 0 });
    const drawn = await tones(labeled, corner);
    expect(drawn.dark).toBeGreaterThan(0.01);
    expect(drawn.light).toBeGreaterThan(0.002);
    expect(drawn.dark).toBeGreaterThan(drawn.light);
    expect(await tones(labeled, [0, 0, 1, 0.7])).toEqual({ dark: 0, light: 0 });
    expect(await sharp(labeled).metadata()).toMatchObject({ width, height });
  });

  test('the marks of a staged picture stay in the file', async () => {
    const { xmp } = await sharp(await copy(width, height, DISCLOSURE_LABEL)).metadata();
    expect(xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia');
  });
});

test('no font is used: the drawing holds lines only', () => {
  const svg = labelOverlay(DISCLOSURE_LABEL, { width: 1200, height: 800 }).toString();
  expect(svg).not.toMatch(/<text|font|<image|href/);
  expect(svg.match(/<path/g)).toHaveLength([...DISCLOSURE_LABEL].length);
});
