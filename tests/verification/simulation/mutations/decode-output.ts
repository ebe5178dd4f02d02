import { OutputRefused } from '../../../../src/images/decoding/output-refused.ts';
import { decoderPids, testDecoder } from '../../../support/pictures/decoders.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';

/**
 * Decodes an output in a decoder that stands still, in a process that a mutation can be loaded into. Says what becomes of
 * it, and how many decoders were lost.
 */
let lost = 0;
const onLost = () => {
  lost += 1;
};
const decoder = testDecoder({ processes: 1, timeoutMs: 5_000, onLost });
const output = await noisy(600, 600).png().toBuffer();
const decode = () =>
  decoder.run('staged-output', [{ format: 'png', aspectRatio: '1:1' }], { load: () => output }).then(
    ({ width }) => `decoded at ${width}`,
    (error: unknown) => (error instanceof OutputRefused ? error.errorCode : String(error)),
  );
await decode();
// The idle process takes the next picture.
for (const pid of decoderPids()) process.kill(pid, 'SIGSTOP');
process.stdout.write(`${await decode()}, ${lost} lost\n`);
await decoder.close();
