import { execFileSync } from 'node:child_process';

/** In megabytes of 1024 times 1024 bytes, as `du -m` prints them. */
export const RELEASE_MB = 200;
/** `npm ci --omit=dev`, with the binaries of all platforms, maps and typings. */
export const INSTALL_MB = 400;
const KB_PER_MB = 1_024;

/** What these files and folders take on the disk together; a file with two names counts once. */
export function megabytes(paths: readonly string[]): number {
  if (paths.length === 0) return 0;
  const lines = execFileSync('du', ['-skc', ...paths], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return Number(lines.at(-1)?.split('\t')[0]) / KB_PER_MB;
}

/** `  110.2 MB  modules`, as one line of a table. */
export const sizeLine = (size: number, what: string): string => `${size.toFixed(1).padStart(8)} MB  ${what}`;

/** The sentence about a size above its limit; undefined below it. */
export const tooLarge = (size: number, limit: number, what: string): string | undefined =>
  size > limit ? `${what} takes ${size.toFixed(1)} MB, and at most ${limit} are allowed` : undefined;
