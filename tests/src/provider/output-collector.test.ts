import { afterEach, expect, test } from 'vitest';
import type { Decoder } from '../../../src/images/decoding/decoder.ts';
import { createOutputCollector } from '../../../src/provider/output-collector.ts';
import type { ObjectStorage } from '../../../src/storage/object-storage.ts';
import { testDecoder } from '../../support/pictures/decoders.ts';
import { noisy } from '../../support/pictures/photo-fixtures.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

let decoder: Decoder;
afterEach(() => decoder.close());

const collect = async (bytes: Buffer) => {
  const collector = createOutputCollector({
    // Never used: the calls fail earlier.
    storage: {} as ObjectStorage,
    decoder,
    allowedHosts: [],
    apiToken: 'r8_unused',
    reporter: createRecordingReporter(),
  });
  return collector.collect({
    outputUrl: `data:image/jpeg;base64,${bytes.toString('base64')}`,
    objectKey: 'staged/x.jpg',
    expected: { format: 'jpeg', aspectRatio: '1:1' },
    signal: new AbortController().signal,
  });
};

test('where no decoder starts, the result waits like one that cannot be stored, and is not rejected', async () => {
  decoder = testDecoder({ memoryMb: 8 });
  expect(await collect(await noisy(600, 600).jpeg().toBuffer())).toEqual({ kind: 'storage-failed' });
});

test('a result whose decoder takes too long is rejected', async () => {
  decoder = testDecoder({ timeoutMs: 50 });
  const slow = await noisy(7_000, 7_000).jpeg().toBuffer();
  expect(await collect(slow)).toEqual({
    kind: 'refused',
    errorCode: 'OUTPUT_INVALID',
    downloadBytes: slow.length,
  });
});
