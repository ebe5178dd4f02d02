/** Runs as a separate process: has a decoder, idle or `at-work`, prints its pid and stays until it is killed. */
import { eventually } from '../../../support/eventually.ts';
import { decoderPids, residentMb, testDecoder } from '../../../support/pictures/decoders.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';

const isWorking = process.argv[2] === 'at-work';
const decoder = testDecoder({ processes: 1 });
const [width, height] = isWorking ? [9_480, 6_320] : [32, 32];
const photo = await noisy(width, height).png({ compressionLevel: 1 }).toBuffer();
const work = decoder.run('photo', ['fixed'], { load: () => photo });
if (isWorking) work.catch(() => {});
else await work;
const pid = await eventually(() => decoderPids().find((pid) => !isWorking || residentMb(pid) > 120), {
  what: 'the decoder',
  intervalMs: 5,
});
console.log(`decoder ${pid}`);
setInterval(() => {}, 60_000);
