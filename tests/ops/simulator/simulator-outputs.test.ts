import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import {
  addFault,
  changeSettings,
  type FaultRuleInput,
  ledgerOf,
} from '../../../ops/simulator/control-client.ts';
import { readPrompt } from '../../../ops/simulator/pictures/prompt-reading.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { stagePhoto } from '../../../ops/simulator/pictures/staging.ts';
import { eventually } from '../../support/eventually.ts';
import {
  flatPhoto,
  openSimulator,
  regionStats,
  startReceiver,
  type TestSimulator,
} from '../../support/worlds/simulator-harness.ts';

async function outputOf(simulator: TestSimulator, input: Record<string, unknown> = {}) {
  const { id } = (await simulator.create({ output_format: 'jpeg', ...input })).body;
  return (await simulator.ended(id)).output;
}

async function withFault(rule: FaultRuleInput) {
  const simulator = await openSimulator();
  await addFault(simulator.url, rule);
  return { simulator, output: await outputOf(simulator) };
}

async function download(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

async function downloads(simulator: TestSimulator, count: number) {
  const look = async () => {
    const seen = (await ledgerOf(simulator.url)).filter((entry) => entry.kind === 'download');
    return seen.length >= count ? seen : null;
  };
  return eventually(look, { what: `${count} downloads in the ledger` });
}

describe('pictures', () => {
  const cases = (['jpeg', 'png', 'webp'] as const).flatMap((format) =>
    (
      [
        ['1:1', 1024, 1024],
        ['3:2', 1536, 1024],
        ['2:3', 1024, 1536],
      ] as const
    ).map(([ratio, width, height]) => [format, ratio, width, height] as const),
  );

  test.each(cases)('%s at %s is %ix%i', async (format, ratio, width, height) => {
    const simulator = await openSimulator();
    const [url] = await outputOf(simulator, { output_format: format, aspect_ratio: ratio });
    expect(await sharp(await download(url)).metadata()).toMatchObject({ format, width, height, channels: 3 });
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-type')).toBe(`image/${format}`);
  });

  test('compression follows the quality', async () => {
    const photo = await noisyPhoto();
    const simulator = await openSimulator();
    await changeSettings(simulator.url, { pictures: 'staged' });
    const server = await startReceiver((_attempt, res) => void res.writeHead(200).end(photo));
    const size = async (output_compression: number) => {
      const [url] = await outputOf(simulator, { output_compression, input_images: [server.url] });
      return (await download(url)).length;
    };
    expect(await size(95)).toBeGreaterThan(2 * (await size(30)));
  });

  test('are made from the input photo, which is fetched once', async () => {
    const simulator = await openSimulator();
    await changeSettings(simulator.url, { pictures: 'staged' });
    const photo = await flatPhoto(900, 600, '#3060c0');
    const server = await startReceiver((_attempt, res) => void res.writeHead(200).end(photo));
    const [url] = await outputOf(simulator, {
      prompt: 'a living room, scandinavian',
      aspect_ratio: '3:2',
      input_images: [`${server.url}/photo.jpg?X-Amz-Signature=s`],
    });
    expect(server.received.map((received) => received.url)).toEqual(['/photo.jpg?X-Amz-Signature=s']);
    const staged = await download(url);
    const wall = await regionStats(staged, { left: 0, top: 0, width: 200, height: 100 });
    expect(wall[2]!.mean).toBeGreaterThan(wall[0]!.mean + 80);
    expect(wall[0]!.stdev).toBeLessThan(5);
    const floor = await regionStats(staged, { left: 500, top: 650, width: 500, height: 250 });
    expect(floor[0]!.stdev).toBeGreaterThan(20);
  });

  test('can be made from a data: photo', async () => {
    const simulator = await openSimulator();
    await changeSettings(simulator.url, { pictures: 'staged' });
    const photo = `data:image/jpeg;base64,${(await flatPhoto(60, 40)).toString('base64')}`;
    expect(await outputOf(simulator, { input_images: [photo] })).toHaveLength(1);
  });

  test.each([
    ['is missing', 404, Buffer.from('gone'), /^404 Not Found for url: http:\/\/127\.0\.0\.1:\d+\/photo$/],
    ['is no picture', 200, Buffer.from('hello'), /input image could not be processed/],
  ])(
    'an input that %s fails the prediction, and its signature is not shown',
    async (_what, status, bytes, error) => {
      const simulator = await openSimulator();
      await changeSettings(simulator.url, { pictures: 'staged' });
      const server = await startReceiver((_attempt, res) => void res.writeHead(status).end(bytes));
      const { id } = (await simulator.create({ input_images: [`${server.url}/photo?signature=secret`] }))
        .body;
      const ended = await simulator.ended(id);
      expect(ended).toMatchObject({ status: 'failed', output: null, error: expect.stringMatching(error) });
    },
  );

  test('an unreachable input fails the prediction', async () => {
    const simulator = await openSimulator();
    await changeSettings(simulator.url, { pictures: 'staged' });
    const { id } = (await simulator.create({ input_images: ['http://127.0.0.1:1/photo'] })).body;
    expect((await simulator.ended(id)).error).toContain('Failed to download input image');
  });

  test('an empty room keeps its upper half and gets furniture on its floor', async () => {
    const canvas = { width: 1536, height: 1024 };
    const photo = await drawSampleRoom('LIVING_ROOM', { ...canvas, seed: 3 });
    const staged = await (await stagePhoto({ photo, prompt: 'living room, modern', ...canvas }))
      .png()
      .toBuffer();
    const difference = async (top: number, height: number) => {
      const region = { left: 400, top, width: 700, height };
      const other = await sharp(photo).extract(region).png().toBuffer();
      const { channels } = await sharp(
        await sharp(staged)
          .extract(region)
          .composite([{ input: other, blend: 'difference' }])
          .removeAlpha()
          .png()
          .toBuffer(),
      ).stats();
      return channels[0]!.mean;
    };
    expect(await difference(0, 250)).toBeLessThan(12);
    expect(await difference(600, 300)).toBeGreaterThan(25);
  });
});

describe('the prompt', () => {
  test.each(CANONICAL_ROOM_TYPES)('%s is detected by its name', (room) => {
    const words =
      room === 'TV_ROOM' ? 'TV/media room (not a living room)' : room.toLowerCase().replace('_', ' ');
    for (const style of CANONICAL_STYLES) {
      expect(readPrompt(`Stage this ${words} in ${style.toLowerCase()} style`)).toEqual({ room, style });
    }
  });

  test('without a room or style means a modern living room', () => {
    expect(readPrompt('make it nice')).toEqual({ room: 'LIVING_ROOM', style: 'MODERN' });
  });
});

describe('output faults', () => {
  test('output-gone is 404, or null with data_removed', async () => {
    const { simulator, output } = await withFault({ fault: 'output-gone' });
    expect((await fetch(output[0])).status).toBe(404);
    await addFault(simulator.url, { fault: 'output-gone', options: { removed: true } });
    const { id } = (await simulator.create()).body;
    expect(await simulator.ended(id)).toMatchObject({
      status: 'succeeded',
      output: null,
      data_removed: true,
    });
  });

  test('output-huge streams more than 20 MiB without a length', async () => {
    const { output } = await withFault({ fault: 'output-huge' });
    const answer = await fetch(output[0]);
    expect(answer.headers.get('content-length')).toBeNull();
    expect((await answer.arrayBuffer()).byteLength).toBe(25 * 1024 * 1024);
  });

  test('output-huge is in the ledger as incomplete when the reader stops', async () => {
    const { simulator, output } = await withFault({ fault: 'output-huge', options: { bytes: 1e9 } });
    const aborting = new AbortController();
    const reader = (await fetch(output[0], { signal: aborting.signal })).body!.getReader();
    await reader.read();
    aborting.abort();
    const [entry] = await downloads(simulator, 1);
    expect(entry).toMatchObject({ fault: 'output-huge', complete: false });
    expect(entry!.bytes).toBeLessThan(1e9);
  });

  test('output-wrong-type is another format, or no picture', async () => {
    const { simulator, output } = await withFault({ fault: 'output-wrong-type' });
    expect((await sharp(await download(output[0])).metadata()).format).toBe('png');
    await addFault(simulator.url, { fault: 'output-wrong-type', options: { type: 'html' } });
    const page = await fetch((await outputOf(simulator))[0]);
    expect(page.headers.get('content-type')).toBe('text/html');
  });

  test('output-wrong-aspect is 16:9', async () => {
    const { output } = await withFault({ fault: 'output-wrong-aspect' });
    expect(await sharp(await download(output[0])).metadata()).toMatchObject({
      width: 1600,
      height: 900,
      format: 'jpeg',
    });
  });

  test('output-truncated does not decode, or ends early', async () => {
    const { simulator, output } = await withFault({ fault: 'output-truncated' });
    await expect(
      sharp(await download(output[0]), { failOn: 'error' })
        .raw()
        .toBuffer(),
    ).rejects.toThrow();
    await addFault(simulator.url, { fault: 'output-truncated', options: { reset: true } });
    await expect(download((await outputOf(simulator))[0])).rejects.toThrow();
  });

  test.each(['jpeg', 'png', 'webp'])(
    'output-bomb is a small %s of hundreds of megapixels',
    async (format) => {
      const simulator = await openSimulator();
      await addFault(simulator.url, { fault: 'output-bomb' });
      const bytes = await download((await outputOf(simulator, { output_format: format }))[0]);
      expect(bytes.length).toBeLessThan(2 * 1024 * 1024);
      const picture = await sharp(bytes, { limitInputPixels: false }).metadata();
      expect(picture.format).toBe(format);
      expect(picture.width * picture.height).toBeGreaterThan(200e6);
      await expect(sharp(bytes, { limitInputPixels: 50e6 }).stats()).rejects.toThrow('pixel limit');
    },
  );

  test('output-redirect redirects to another host, and a reader that follows it is recorded', async () => {
    const { simulator, output } = await withFault({ fault: 'output-redirect' });
    const answer = await fetch(output[0], { redirect: 'manual' });
    expect(answer.status).toBe(302);
    const target = new URL(answer.headers.get('location')!);
    expect(target.hostname).not.toBe(new URL(output[0]).hostname);
    target.hostname = new URL(output[0]).hostname;
    expect((await fetch(target)).status).toBe(200);
    const entries = await downloads(simulator, 2);
    expect(entries.map(({ path, httpStatus }) => [path, httpStatus])).toEqual([
      ['out-0.jpeg', 302],
      ['elsewhere/out-0.jpeg', 200],
    ]);
  });

  test('output-slow-drip sends a few bytes at a time', async () => {
    const { simulator, output } = await withFault({
      fault: 'output-slow-drip',
      options: { bytesPerTick: 16, tickMs: 3_600_000 },
    });
    const aborting = new AbortController();
    const answer = await fetch(output[0], { signal: aborting.signal });
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(16);
    const { value } = await answer.body!.getReader().read();
    expect(value).toHaveLength(16);
    aborting.abort();
    expect(await downloads(simulator, 1)).toMatchObject([
      { bytes: 16, complete: false, fault: 'output-slow-drip' },
    ]);
  });

  test('output-data-uri, output-empty-array and output-string change the format of the output', async () => {
    const { output: inline } = await withFault({ fault: 'output-data-uri' });
    expect(inline[0]).toMatch(/^data:image\/jpeg;base64,/);
    const bytes = Buffer.from(inline[0].split(',')[1], 'base64');
    expect((await sharp(bytes).metadata()).format).toBe('jpeg');
    expect((await withFault({ fault: 'output-empty-array' })).output).toEqual([]);
    const { output: single } = await withFault({ fault: 'output-string' });
    expect(single).toEqual(expect.stringContaining('/files/'));
    expect((await fetch(single)).status).toBe(200);
  });

  test('files of others and paths outside the folder are not served', async () => {
    const simulator = await openSimulator();
    const [url] = await outputOf(simulator);
    const folder = new URL('.', url).href;
    for (const name of ['out-1.jpeg', '..%2f..%2fledger.jsonl', '%2e%2e%2fwebhook-secret']) {
      expect((await fetch(folder + name)).status).toBe(404);
    }
  });
});

function noisyPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  return sharp({ create: { width: 600, height: 600, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer();
}
