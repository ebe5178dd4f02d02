import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, candidate, interleave, ratioOf } from '../alternate.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { startCandidate } from '../candidate-process.ts';
import { type BenchEnvironment, startBenchEnvironment } from '../load/bench-environment.ts';
import { type Generator, measureThroughput, startGenerator } from '../load/generator.ts';
import type { MeasuredServer } from '../load/measured-server.ts';
import { startRepeating } from '../load/repeating-server.ts';
import { requestBytes } from '../load/request-bytes.ts';
import { makePhoto, type Photo, seedListing, storePhotos } from './pictures.ts';
import type { Conversion } from './sharp-turns.ts';

/**
 * The image proxy of a web role with its database and object store. A first request is compared with sharp, which
 * does the same conversion of the same bytes in a separate process, one at a time. A repeated request is compared
 * with bare uWebSockets.js, which sends the same bytes without checking who may see them.
 */
export const imagesBench: Bench = {
  name: 'images',
  about: 'the image proxy: first request against sharp, repeated request against bare uWebSockets.js',
  run: async (ground) => {
    const environment = await startBenchEnvironment({
      scratch: join(ground.scratch, 'stack'),
      durable: true,
    });
    const generator = startGenerator();
    try {
      const photo = await makePhoto(ground.quick ? PHOTO.quick : PHOTO.full);
      const propertyId = await seedListing(environment.pool);
      const web = await environment.startRole('web');
      const given: BenchInput = { environment, generator, web, photo, propertyId };
      return [...(await measureFirst(given, ground)), ...(await measureRepeated(given, ground))];
    } finally {
      await generator.stop();
      await environment.stop();
    }
  },
};

/** As a phone takes it: 12 megapixels, a few megabytes of JPEG. */
const PHOTO = {
  full: { width: 4_032, height: 3_024, blur: 1.2 },
  quick: { width: 1_008, height: 756, blur: 1.2 },
};
const FIRST_TIMES = { full: 6, quick: 2 };
const REPEATED_SECONDS = { full: 3, quick: 0.3 };
const CONNECTIONS = 32;
const FIRST_GOAL = { atMost: 1.3 };
const CONVERSIONS = [
  { what: 'a phone’s width, WebP', side: 1_280, format: 'webp', repeatedGoal: 0.5 },
  { what: 'a thumbnail, JPEG', side: 384, format: 'jpeg', repeatedGoal: 0.4 },
] as const;

interface BenchInput {
  readonly environment: BenchEnvironment;
  readonly generator: Generator;
  readonly web: MeasuredServer;
  readonly photo: Photo;
  readonly propertyId: string;
}

const pathOf = (imageId: string, { side, format }: Pick<Conversion, 'side' | 'format'>) =>
  `/api/images/${imageId}?w=${side}&format=${format}`;

async function measureFirst(given: BenchInput, ground: BenchGround): Promise<Finding[]> {
  const { environment, photo, propertyId, web } = given;
  const times = ground.quick ? FIRST_TIMES.quick : FIRST_TIMES.full;
  const file = join(ground.scratch, 'photo.jpg');
  await writeFile(file, photo.bytes);
  const program = fileURLToPath(new URL('./sharp-turns.ts', import.meta.url));
  const sharp = await startCandidate({ program });
  const findings: Finding[] = [];
  try {
    for (const { what, side, format } of CONVERSIONS) {
      ground.print(`first request: ${what}`);
      const ours = async () => {
        const ids = await storePhotos(environment, { propertyId, photo, count: times });
        const began = performance.now();
        for (const id of ids) await expectPicture(web.url + pathOf(id, { side, format }));
        return (performance.now() - began) / times;
      };
      const peer = () => sharp.ask<number>('turn', { file, side, format, times } satisfies Conversion);
      findings.push(
        await alternate(
          {
            title: `first request of a picture (${what})`,
            unit: 'ms',
            goal: FIRST_GOAL,
            ours: { name: 'Proscenium', turn: ours },
            peer: { name: 'sharp alone', turn: peer },
          },
          ground.rounds,
        ),
      );
    }
  } finally {
    await sharp.stop();
  }
  return findings;
}

/** @throws Error when it is not the picture that was asked for */
async function expectPicture(url: string): Promise<Buffer> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200 || bytes.length === 0) throw new Error(`${url} answered ${response.status}`);
  return bytes;
}

async function measureRepeated(given: BenchInput, ground: BenchGround): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const conversion of CONVERSIONS) {
    ground.print(`repeated request: ${conversion.what}`);
    findings.push(...(await repeated(given, ground, conversion)));
  }
  return findings;
}

async function repeated(
  { environment, generator, web, photo, propertyId }: BenchInput,
  { scratch, quick, rounds }: BenchGround,
  { what, side, format, repeatedGoal }: (typeof CONVERSIONS)[number],
): Promise<Finding[]> {
  const [id = ''] = await storePhotos(environment, { propertyId, photo, count: 1 });
  const path = pathOf(id, { side, format });
  await expectPicture(web.url + path);
  const bare = await startRepeating([{ method: 'GET', path }], { url: web.url, scratch });
  try {
    const requests = [requestBytes({ method: 'GET', path })];
    const until = { seconds: quick ? REPEATED_SECONDS.quick : REPEATED_SECONDS.full };
    const load = { connections: CONNECTIONS, requests, until, status: 200 };
    const taken = await interleave(
      {
        web: () => measureThroughput(generator, web, load),
        bare: () => measureThroughput(generator, bare, load),
      },
      rounds,
    );
    const kilobytes = Math.round(bare.bodyBytes / 1_000);
    return (['perCpuSecond', 'perSecond'] as const).map((by) =>
      ratioOf(
        {
          title: `repeated request of a picture (${what})${by === 'perSecond' ? ', by the clock' : ''}`,
          unit: '/s',
          note: `${kilobytes} kB, ${CONNECTIONS} connections; ${NOTES[by]}`,
          ...(by === 'perCpuSecond' ? { goal: { atLeast: repeatedGoal } } : {}),
        },
        candidate(
          'Proscenium',
          taken.web.map((turn) => turn[by]),
        ),
        candidate(
          'bare uWebSockets.js',
          taken.bare.map((turn) => turn[by]),
        ),
      ),
    );
  } finally {
    await bare.stop();
  }
}

const NOTES = {
  perCpuSecond: 'for each second of the server’s processor time',
  perSecond: 'the generator and the database share the processors',
};
