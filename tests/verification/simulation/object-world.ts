import { PUT_TIMEOUT_MS } from '../../../machines/limits.ts';
import type { CollectAnswer, ObjectDeleter, OutputCollector } from '../../../supervisors/ports.ts';
import type { Random } from '../../support/random.ts';
import type { SimulatedProcess, Universe } from './universe.ts';

/** As the provider sizes its pictures. */
const OUTPUTS = {
  '1:1': { width: 1_024, height: 1_024 },
  '3:2': { width: 1_536, height: 1_024 },
  '2:3': { width: 1_024, height: 1_536 },
} as const;

const DECODER_TRIES_MS = [20_000, 20_000, 60_000];

/** The object store: keys only. A put may happen without its answer, a delete too. */
export interface ObjectWorld {
  readonly keys: Set<string>;
  /** Keys deleted while a row needed them; must stay empty (I20). */
  readonly log: { at: number; what: 'put' | 'delete'; key: string }[];
  collector(process: SimulatedProcess): OutputCollector;
  deleter(process: SimulatedProcess): ObjectDeleter;
}

export function createObjectWorld(options: {
  universe: Universe;
  random: Random;
  faulty(kind: string): boolean;
  /** Called at the moment of a delete. */
  onDelete(key: string): void;
  decoderLost(): void;
  /** The picture for this key has an address that is not allowed. */
  hostRefused(key: string): void;
  /** Between download and put. */
  duringPut(key: string): void;
}): ObjectWorld {
  const { universe, random, faulty } = options;
  const keys = new Set<string>();
  const log: ObjectWorld['log'] = [];
  /** Pictures that crash their decoder. */
  const hostile = new Set<string>();
  /** A decoder that dies or stands still is no proof: the last of three is, as in src/images/decoding/decoder.ts. */
  const isDecoded = async (process: SimulatedProcess, signal: AbortSignal): Promise<boolean> => {
    for (const withinMs of DECODER_TRIES_MS) {
      if (!faulty('decoder-lost')) return true;
      options.decoderLost();
      await process.sleep(random.between(0, 1) * withinMs, signal);
      signal.throwIfAborted();
    }
    return false;
  };
  return {
    keys,
    log,
    collector: (process) => ({
      async collect({ objectKey, expected, signal }): Promise<CollectAnswer> {
        await process.hop('download');
        if (faulty('download-fails')) return { kind: 'download-failed' };
        if (faulty('host-refused')) {
          options.hostRefused(objectKey);
          const why = { errorCode: 'OUTPUT_HOST_REFUSED', host: 'elsewhere.example' } as const;
          return { kind: 'refused', downloadBytes: 0, ...why };
        }
        if (faulty('output-bad')) return { kind: 'refused', errorCode: 'OUTPUT_INVALID', downloadBytes: 5 };
        if (faulty('hostile-picture')) hostile.add(objectKey);
        if (hostile.has(objectKey)) {
          process.kill();
          await process.hop('never');
        }
        if (faulty('no-decoder')) return { kind: 'storage-failed' };
        if (!(await isDecoded(process, signal)))
          return { kind: 'refused', errorCode: 'OUTPUT_INVALID', downloadBytes: 5 };
        options.duringPut(objectKey);
        const begunAt = universe.now();
        if (faulty('slow-put')) await process.sleep(random.between(1_000, 29_000), signal);
        await process.hop('put');
        if (universe.now() - begunAt > PUT_TIMEOUT_MS) return { kind: 'storage-failed' };
        if (signal.aborted && random.chance(0.5)) return { kind: 'storage-failed' };
        if (faulty('put-fails')) return { kind: 'storage-failed' };
        keys.add(objectKey);
        log.push({ at: universe.now(), what: 'put', key: objectKey });
        await process.hop('put answer');
        if (faulty('put-answer-lost')) return { kind: 'storage-failed' };
        const size = OUTPUTS[expected.aspectRatio];
        return { kind: 'stored', output: { bytes: 1_000, ...size, format: 'jpeg', checksum: objectKey } };
      },
    }),
    deleter: (process) => ({
      async delete(objectKey) {
        await process.hop('delete object');
        if (faulty('delete-fails'))
          return { kind: 'failed', errorClass: 'transient', error: 'SlowDown: try later' };
        options.onDelete(objectKey);
        keys.delete(objectKey);
        log.push({ at: universe.now(), what: 'delete', key: objectKey });
        await process.hop('delete answer');
        if (faulty('delete-answer-lost'))
          return { kind: 'failed', errorClass: 'transient', error: 'timeout' };
        return { kind: 'deleted' };
      },
    }),
  };
}
