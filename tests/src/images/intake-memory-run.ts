/**
 * Run as a process of its own: prepares the pictures given as arguments, two at a time as two uploads would, and
 * prints the largest resident memory in MB and how each ended.
 */
import { readFile } from 'node:fs/promises';
import { preparePhoto } from '../../../src/images/photo-intake.ts';

const queue = process.argv.slice(2);
const endings: string[] = [];

async function upload(): Promise<void> {
  for (let file = queue.shift(); file; file = queue.shift()) {
    endings.push(await preparePhoto(await readFile(file)).then(({ main }) => main.format, errorName));
  }
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

await Promise.all([upload(), upload()]);
const peakMegabytes = Math.round((process.resourceUsage().maxRSS * 1024) / 1_000_000);
console.log(JSON.stringify({ peakMegabytes, endings }));
