/**
 * Run as a process of its own: prepares the pictures given as arguments, two at a time as two uploads would, in decoders
 * of the memory that the first argument says (MB), and prints the largest resident memory of itself in MB and how each
 * picture ended.
 */
import { readFile } from 'node:fs/promises';
import { testDecoder } from '../../../support/pictures/decoders.ts';

const [memoryMb, ...queue] = process.argv.slice(2);
const decoder = testDecoder({ memoryMb: Number(memoryMb) });
const endings: string[] = [];

async function upload(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const file = next;
    endings.push(
      await decoder
        .run('photo', [], { load: () => readFile(file) })
        .then(({ main }) => main.format, errorName),
    );
  }
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

await Promise.all([upload(), upload()]);
await decoder.close();
const peakMegabytes = Math.round((process.resourceUsage().maxRSS * 1024) / 1_000_000);
console.log(JSON.stringify({ peakMegabytes, endings }));
