import { sharp } from './sharp-settings.ts';

/** Dots an inch at which a drawing has the size that it says. */
const PLAIN_DENSITY = 72;

/** What the library takes. */
const MOST_DENSITY = 100_000;

/** The icon of a site as PNG, on its own color to the corners: launchers cut their own shape. */
export async function drawSiteIcon(svg: Buffer, side: number, background: string): Promise<Buffer> {
  const { width } = await sharp(svg, { density: PLAIN_DENSITY }).metadata();
  const density = Math.min(Math.max((PLAIN_DENSITY * side) / width, 1), MOST_DENSITY);
  return sharp(svg, { density }).resize(side, side).flatten({ background }).png().toBuffer();
}
