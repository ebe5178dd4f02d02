/**
 * Runs as a separate process: makes smaller copies of the given pictures, all at once, in decoders with the memory of
 * the first argument (MB). A picture given twice counts as two. Prints its own largest resident memory in MB and the
 * result of each.
 */
import { readFile } from 'node:fs/promises';
import type { VisibleImage } from '../../../../persistence/images/image-visibility.ts';
import { planRendition } from '../../../../src/images/decoding/rendition-plan.ts';
import { readRenditionRequest } from '../../../../src/images/decoding/rendition-request.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { createRenditions, type RenditionPorts } from '../../../../src/images/renditions/renditions.ts';
import { peakMegabytes } from '../../../support/peak-memory.ts';
import { testDecoder } from '../../../support/pictures/decoders.ts';

const QUERIES = ['w=2048&q=90', 'w=1280&format=avif', 'w=64&h=64'];

const [memoryMb, ...files] = process.argv.slice(2);
const decoder = testDecoder({ memoryMb: Number(memoryMb) });

/** Only what private pictures need; the stored objects are files. */
const ports = {
  storage: {
    async get(file: string) {
      const bytes = await readFile(file);
      return { bytes, contentType: '', size: bytes.length };
    },
  },
  decoder,
} as unknown as RenditionPorts;
const renditions = createRenditions(ports);

async function one(file: string, { query, imageId }: { query: string; imageId: string }): Promise<string> {
  const { width, height } = (await sharp(file, { limitInputPixels: false }).metadata()).autoOrient;
  const facts = {
    propertyId: 'any',
    format: null,
    heatMapKey: null,
    providerInputKey: null,
    paddedInputKey: null,
    checksum: null,
    isStyled: false,
    isPublic: false,
    pad: null,
  };
  const image: VisibleImage = { imageId, objectKey: file, width, height, ...facts };
  const request = readRenditionRequest(new URLSearchParams(query));
  if (request === null) throw new Error('nothing asked');
  const format = request.format === 'auto' ? 'webp' : request.format;
  const bytes = await renditions.of(image, planRendition(request, image, format, null), {
    client: '192.0.2.1',
    signal: new AbortController().signal,
  });
  return (await sharp(bytes).metadata()).format;
}

const orders = files.flatMap((file, at) => QUERIES.map((query) => one(file, { query, imageId: `${at}` })));
const endings = await Promise.all(orders.map((order) => order.catch((error: Error) => error.message)));
await decoder.close();
console.log(JSON.stringify({ peakMegabytes: Math.round(peakMegabytes()), endings }));
