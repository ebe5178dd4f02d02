import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../dev/stack/role-process.ts';

/**
 * The benches are a package by themselves: what they compare with and what draws their charts is installed in
 * `ops/bench`, never with the product. The compiler does not know these packages.
 */
export const BENCH = join(REPOSITORY, 'ops/bench');

/** The folder of the programs that the installed packages bring. */
export const PEER_PROGRAMS = join(BENCH, 'node_modules/.bin');

/** @returns what to type first when the package in that folder is not installed; null when it is */
export function missingPeers(directory: string): string | null {
  return existsSync(join(directory, 'node_modules/vega-lite'))
    ? null
    : 'Install what the benches need first: npm ci --ignore-scripts --prefix ops/bench';
}

/** A picture from a Vega-Lite specification, as SVG. */
export async function drawSvg(specification: object): Promise<string> {
  const [vega, lite] = await Promise.all(['vega', 'vega-lite'].map((name) => import(name)));
  const view = new vega.View(vega.parse(lite.compile(specification).spec), { renderer: 'none' });
  return `${await view.toSVG()}\n`;
}
