/**
 * A label drawn into a copy of a picture, as an SVG of lines only. No font is used: a decoder must draw the same
 * wherever it runs, also where no font is installed. The letters are strokes with round ends, drawn for this purpose.
 */

interface Glyph {
  /** Width of its strokes' middle lines; see `GRID`. */
  readonly width: number;
  /** SVG path: x from 0 to the width, y from 0 (top of capitals) to 7 (base line) and 9 (descenders). */
  readonly path: string;
}

const BOWL = 'M4 4.5A2 2.5 0 1 0 0 4.5A2 2.5 0 1 0 4 4.5';
const GLYPHS: Readonly<Record<string, Glyph>> = {
  ' ': { width: 1.2, path: '' },
  '·': { width: 0.4, path: 'M0.2 3.8V3.81' },
  A: { width: 5, path: 'M0 7L2.5 0L5 7M0.9 4.6H4.1' },
  D: { width: 4.6, path: 'M0 0V7H1.4A3.2 3.5 0 0 0 1.4 0Z' },
  I: { width: 0, path: 'M0 0V7' },
  V: { width: 5, path: 'M0 0L2.5 7L5 0' },
  a: { width: 4, path: `${BOWL}M4 2V7` },
  c: { width: 3.6, path: 'M3.6 2.9A2 2.5 0 1 0 3.6 6.1' },
  d: { width: 4, path: `${BOWL}M4 0V7` },
  e: { width: 4, path: 'M0 4.5H4A2 2.5 0 1 0 3.4 6.3' },
  f: { width: 2.6, path: 'M1 7V1.6A1.5 1.5 0 0 1 2.6 0.2M0 2H2.6' },
  g: { width: 4, path: `${BOWL}M4 2V7A2 2 0 0 1 0.4 8.2` },
  i: { width: 0, path: 'M0 2V7M0 0V0.01' },
  l: { width: 0, path: 'M0 0V7' },
  m: { width: 6.4, path: 'M0 2V7M0 3.6A1.6 1.6 0 0 1 3.2 3.6V7M3.2 3.6A1.6 1.6 0 0 1 6.4 3.6V7' },
  n: { width: 3.8, path: 'M0 2V7M0 3.9A1.9 1.9 0 0 1 3.8 3.9V7' },
  o: { width: 4, path: BOWL },
  p: { width: 4, path: `${BOWL}M0 2V9` },
  r: { width: 2.4, path: 'M0 2V7M0 4.2A2.3 2.3 0 0 1 2.4 2.1' },
  s: { width: 3.2, path: 'M3 2.7C2.5 1.8 0.3 1.7 0.3 3.2C0.3 4.8 3.1 4.1 3.1 5.7C3.1 7.3 0.6 7.4 0 6.2' },
  t: { width: 2.6, path: 'M1 0.4V5.7A1.3 1.3 0 0 0 2.3 7H2.6M0 2H2.6' },
  u: { width: 3.8, path: 'M0 2V5.1A1.9 1.9 0 0 0 3.8 5.1M3.8 2V7' },
  y: { width: 4, path: 'M0 2L2 7M4 2L1.4 8.5Q1.2 9 0.6 9' },
};

/** Units of the letters' grid: the height of a capital is 7. */
const GRID = { stroke: 0.95, gap: 1.7, above: 2.4, below: 4.4, sides: 2.8, capital: 7 } as const;
const BOX_HEIGHT = GRID.above + GRID.capital + GRID.below;
/** Of the picture's shorter side. */
const BOX_SHARE = 0.055;
const SMALLEST_BOX = 18;
/** Of the picture's width: a longer label is drawn smaller. */
const WIDEST = 0.9;
/** Of the box's height: the distance to the picture's edges. */
const MARGIN = 0.5;

/** Whether each character of the text has a drawing. */
export function isDrawable(text: string): boolean {
  return [...text].every((character) => Object.hasOwn(GLYPHS, character));
}

/**
 * An SVG of the picture's size with the label at its lower left corner: light letters on a dark box.
 * @param size of the picture in pixels
 * @throws Error for a text that is not drawable
 */
export function labelOverlay(text: string, { width, height }: { width: number; height: number }): Buffer {
  const letters = [...text].map((character) => {
    const glyph = GLYPHS[character];
    if (glyph === undefined) throw new Error(`there is no drawing of ${JSON.stringify(character)}`);
    return glyph;
  });
  let x = GRID.sides;
  const paths = letters.map((glyph) => {
    const drawn = `<path transform="translate(${x.toFixed(2)} ${GRID.above})" d="${glyph.path}"/>`;
    x += glyph.width + GRID.gap;
    return drawn;
  });
  const boxWidth = x - GRID.gap + GRID.sides;
  const wanted = Math.max(SMALLEST_BOX, Math.min(width, height) * BOX_SHARE) / BOX_HEIGHT;
  const scale = Math.min(
    wanted,
    (width * WIDEST) / (boxWidth + MARGIN * BOX_HEIGHT),
    height / BOX_HEIGHT / 2,
  );
  const margin = MARGIN * BOX_HEIGHT * scale;
  const top = height - margin - BOX_HEIGHT * scale;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<g transform="translate(${margin.toFixed(2)} ${top.toFixed(2)}) scale(${scale.toFixed(4)})">` +
      `<rect width="${boxWidth.toFixed(2)}" height="${BOX_HEIGHT}" rx="2.4" fill="#111111" fill-opacity="0.82"/>` +
      `<g fill="none" stroke="#ffffff" stroke-width="${GRID.stroke}" stroke-linecap="round" stroke-linejoin="round">` +
      `${paths.join('')}</g></g></svg>`,
  );
}
