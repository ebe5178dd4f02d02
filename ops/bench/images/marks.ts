import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readSigning } from '../../../src/config/signing.ts';
import { createDecoder } from '../../../src/images/decoding/decoder.ts';
import { planRendition } from '../../../src/images/decoding/rendition-plan.ts';
import { createMarks } from '../../../src/images/marks/marks.ts';
import { startSigner } from '../../../src/images/marks/signer.ts';
import { systemClock } from '../../../src/time.ts';
import { testSigning } from '../../dev/signing-certificates.ts';
import { alternate, quantile } from '../alternate.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { type BenchEnvironment, startBenchEnvironment } from '../load/bench-environment.ts';
import { makePhoto, type Photo, seedListing, storePhotos } from './pictures.ts';

/**
 * What a signature adds to a copy of a staged picture: its statements, the signature, and the row of its manifest.
 * The copy is of a phone's width, in WebP, and is made by a decoder as in the web role.
 */
export const marksBench: Bench = {
  name: 'marks',
  about: 'copies of staged pictures with a signed manifest against the same copies without',
  run: async (ground) => {
    const environment = await startBenchEnvironment({
      scratch: join(ground.scratch, 'stack'),
      durable: true,
    });
    try {
      return await measure(environment, ground);
    } finally {
      await environment.stop();
    }
  },
};

const SIDE = 1_280;
const COPIES = { full: 20, quick: 3 };
const GOALS = { ratio: { atMost: 1.2 }, p95: { atMost: 15 }, blocked: { atMost: 5 } } as const;

async function measure(environment: BenchEnvironment, ground: BenchGround): Promise<Finding[]> {
  const { pool } = environment;
  const config = signingConfig();
  const signer = await startSigner(config, { clock: systemClock });
  const decoder = createDecoder({ lane: 'renditions', processes: 1, memoryMb: 1_024, logger: SILENT });
  const publicBaseUrl = 'https://homes.example.com';
  const marks = createMarks({ pool, clock: systemClock, publicBaseUrl, signer, count: () => {} });
  const times = ground.quick ? COPIES.quick : COPIES.full;
  const added: number[] = [];
  const loop = monitorEventLoopDelay({ resolution: 1 });
  try {
    const photo = await makePhoto(ground.quick);
    const render = () => decoder.run('rendition', [PLAN, { pad: null }], { load: () => photo.bytes });
    const propertyId = await seedListing(pool);
    /** Milliseconds for a copy, and what the signature added. */
    const signed = async (imageId: string) => {
      let rendering = 0;
      const began = performance.now();
      const copy = { image: { imageId }, variant: PLAN.variant, format: PLAN.format, isCanonical: true };
      await marks.signed(copy, async () => {
        const started = performance.now();
        const bytes = await render();
        rendering = performance.now() - started;
        return bytes;
      });
      const took = performance.now() - began;
      added.push(took - rendering);
      return took;
    };
    const ours = async () => {
      const ids = await storeStaged(environment, { propertyId, photo, count: times });
      let sum = 0;
      loop.enable();
      for (const id of ids) sum += await signed(id);
      loop.disable();
      return sum / times;
    };
    const peer = async () => {
      const began = performance.now();
      for (let done = 0; done < times; done++) await render();
      return (performance.now() - began) / times;
    };
    ground.print('a copy with and without a signature');
    const ratio = await alternate(
      {
        title: 'copy of a staged picture, with its signature',
        unit: 'ms',
        goal: GOALS.ratio,
        ours: { name: 'signed', turn: ours },
        peer: { name: 'not signed', turn: peer },
      },
      ground.rounds,
    );
    const about = {
      kind: 'figure',
      unit: 'ms',
      note: `${added.length} copies of a phone's width, WebP`,
    } as const;
    return [
      ratio,
      { ...about, title: 'added by a signature, p50', value: quantile(added, 0.5) },
      { ...about, title: 'added by a signature, p95', value: quantile(added, 0.95), goal: GOALS.p95 },
      {
        ...about,
        title: 'event loop held up while signing, p99',
        // The histogram counts nanoseconds, and its own interval of one millisecond.
        value: loop.percentile(99) / 1e6 - 1,
        goal: GOALS.blocked,
      },
    ];
  } finally {
    await decoder.close();
    await signer.close();
  }
}

const SILENT = { warn() {}, error() {} };
const PLAN = planRendition(
  { width: SIDE, height: null, fit: 'contain', quality: 80 },
  { width: null, height: null },
  'webp',
  null,
);

function signingConfig() {
  const { settings } = testSigning();
  const config = readSigning({
    key: settings.C2PA_SIGNING_KEY,
    certificateChain: settings.C2PA_CERTIFICATE_CHAIN,
  });
  if (config === null) throw new Error('the certificates cannot be read');
  return config;
}

/** Pictures, each of a photo of its own. Whether they are approved makes no difference to the time. */
async function storeStaged(
  environment: BenchEnvironment,
  given: { propertyId: string; photo: Photo; count: number },
): Promise<string[]> {
  const originals = await storePhotos(environment, given);
  const staged: string[] = [];
  for (const originalId of originals) {
    const id = randomUUID();
    await environment.pool.query(
      `INSERT INTO property_images (id, "propertyId", "styledFromId", "isStyled", "objectKey", style, "canonicalStyle",
         "roomType", "reviewStatus", "providerModel")
       VALUES ($1, $2, $3, true, $4, 'MODERN', 'MODERN', 'LIVING_ROOM', 'PENDING_REVIEW', 'openai/gpt-image-2')`,
      [id, given.propertyId, originalId, `staged/${id}.jpg`],
    );
    staged.push(id);
  }
  return staged;
}
