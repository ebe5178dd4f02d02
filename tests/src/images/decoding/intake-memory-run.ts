/**
 * Runs as a separate process: prepares the given pictures two at a time, like two uploads with padded copies, in decoders
 * with the memory of the first argument (MB). Prints its own largest resident memory in MB and the result of each picture.
 */
import { readFile } from 'node:fs/promises';
import { peakMegabytes } from '../../../support/peak-memory.ts';
import { testDecoder } from '../../../support/pictures/decoders.ts';

const [memoryMb, ...queue] = process.argv.slice(2);
const decoder = testDecoder({ memoryMb: Number(memoryMb) });
const endings: string[] = [];

async function upload(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const file = next;
    endings.push(
      await decoder
        .run('photo', ['photo'], { load: () => readFile(file) })
        .then(({ main }) => main.format, errorName),
    );
  }
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

await Promise.all([upload(), upload()]);
await decoder.close();
console.log(JSON.stringify({ peakMegabytes: Math.round(peakMegabytes()), endings }));
