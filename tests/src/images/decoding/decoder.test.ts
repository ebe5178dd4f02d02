import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import type { Decoder, DecoderOptions } from '../../../../src/images/decoding/decoder.ts';
import { OutputRefused } from '../../../../src/images/decoding/output-refused.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import type { LossReason } from '../../../../src/telemetry/metrics.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  decoderAtWork,
  decoderPids,
  heldTurn,
  isAlive,
  testDecoder,
} from '../../../support/pictures/decoders.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { startProgram } from '../../../support/platform/started-program.ts';

/** Takes one or two seconds to prepare, and far more than 256 MB. */
let large: Buffer;
let small: Buffer;
beforeAll(async () => {
  large = await noisy(9_480, 6_320).withMetadata({ orientation: 6 }).jpeg({ quality: 80 }).toBuffer();
  small = await noisy(320, 200).jpeg().toBuffer();
}, 60_000);

let decoder: Decoder;
const lost: LossReason[] = [];
const lines: Record<string, unknown>[] = [];
function open(options: Partial<DecoderOptions> = {}): Decoder {
  const note = (line: unknown) => lines.push(line as Record<string, unknown>);
  const logger = { warn: note, error: note } as unknown as DecoderOptions['logger'];
  // A try that failed may have left lines.
  lost.length = 0;
  lines.length = 0;
  decoder = testDecoder({ logger, onLost: (reason) => lost.push(reason), ...options });
  return decoder;
}
afterEach(async () => {
  await decoder.close();
  expect(decoderPids()).toEqual([]);
});

const prepare = (bytes: Buffer, options: { signal?: AbortSignal; about?: Record<string, string> } = {}) =>
  decoder.run('photo', ['fixed'], { load: () => bytes, ...options });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof PublicError) return error.code;
      return error instanceof OutputRefused ? error.errorCode : String(error);
    },
  );
describe('one picture', () => {
  test('each task gives the same result as in one process', async () => {
    open({ processes: 1 });
    const { main, providerInput } = await prepare(small);
    expect([main.format, main.width, main.height]).toEqual(['jpeg', 320, 200]);
    expect((await sharp(main.bytes).metadata()).width).toBe(320);
    expect((await sharp(providerInput?.bytes).metadata()).format).toBe('jpeg');
    const avatar = await decoder.run('avatar', [], { load: () => small });
    expect((await sharp(avatar.bytes).metadata()).height).toBe(512);
    const square = await noisy(600, 600).webp().toBuffer();
    const expected = { format: 'webp', aspectRatio: '1:1' } as const;
    const output = await decoder.run('staged-output', [expected], { load: async () => square });
    expect(output).toMatchObject({ width: 600, bytes: square.length });
    expect(decoderPids()).toHaveLength(1);
  });

  test('an error arrives as the same error, with its log fields', async () => {
    open();
    const refused = await prepare(Buffer.from('GIF89a')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PublicError);
    expect(refused).toMatchObject({ code: 'PHOTO_TYPE_UNSUPPORTED', details: { kind: 'gif' } });
    const expected = { format: 'png', aspectRatio: '1:1' } as const;
    const output = decoder.run('staged-output', [expected], { load: () => small });
    expect(await codeOf(output)).toBe('OUTPUT_INVALID');
    expect(lost).toEqual([]);
  });

  test('its process has no secrets in its environment', async () => {
    open();
    process.env.TEST_SECRET_OF_THE_ROLE = 'secret';
    await prepare(small);
    delete process.env.TEST_SECRET_OF_THE_ROLE;
    const [pid] = decoderPids();
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0]);
    expect(
      names.filter((name) => !/^(NODE_CHANNEL_\w+|MALLOC_ARENA_MAX|TMPDIR|PWD|)$/.test(name ?? '')),
    ).toEqual([]);
  });
});

describe('a picture that ends its decoder process', () => {
  test('needs more memory than allowed three times: too large, and the picture next to it is not affected', async () => {
    open({ memoryMb: 256 });
    const beside = Array.from({ length: 5 }, () => codeOf(prepare(small)));
    expect(await codeOf(prepare(large, { about: { propertyId: 'p1' } }))).toBe('PHOTO_TOO_LARGE');
    expect(await Promise.all(beside)).toEqual(Array(5).fill('done'));
    expect(await codeOf(prepare(small))).toBe('done');
    expect(new Set(lost)).toEqual(new Set(['memory']));
    const own = { event: 'decoder_lost', reason: 'memory', propertyId: 'p1', task: 'photo' };
    expect(lines.filter(({ propertyId }) => propertyId === 'p1')).toMatchObject(
      [false, false, true].map((isGuilty) => ({ ...own, isGuilty })),
    );
  });

  test('from the provider, needs more memory than allowed three times: invalid', async () => {
    open({ processes: 1, memoryMb: 192 });
    const output = await noisy(7_000, 7_000).webp({ effort: 0 }).toBuffer();
    const expected = { format: 'webp', aspectRatio: '1:1' } as const;
    const ending = decoder.run('staged-output', [expected], { load: () => output });
    expect(await codeOf(ending)).toBe('OUTPUT_INVALID');
    expect(lost).toEqual(['memory', 'memory', 'memory']);
    expect(lines.map(({ isGuilty }) => isGuilty)).toEqual([false, false, true]);
  }, 60_000);

  test.each([
    ['the host is not', false, 'PHOTO_BROKEN'],
    ['the host is', true, 'SERVICE_UNAVAILABLE'],
  ])(
    'takes longer than allowed three times, the last with more time: refused, %s busy',
    async (_, busy, code) => {
      open({ processes: 2, timeoutMs: 60, isBusy: () => busy });
      expect(await codeOf(prepare(large))).toBe(code);
      expect(lost).toEqual(['time', 'time', 'time']);
      expect(lines.map(({ isGuilty }) => isGuilty)).toEqual([false, false, true]);
      expect(lines.map(({ detail }) => detail)).toEqual(
        [60, 60, 180].map((ms) => `no answer within ${ms} ms`),
      );
      expect(decoder.load).toEqual({ working: 0, waiting: 0 });
    },
  );

  test('kills each of its processes: broken; from the provider invalid, from a visitor broken', async () => {
    open({ processes: 1 });
    const plan = {
      box: { width: 64, height: 64 },
      fit: 'contain',
      format: 'avif',
      quality: 90,
      variant: 'v',
      mark: null,
    } as const;
    // Small enough to be accepted: one that is too large is refused as soon as it arrives, perhaps before it is killed.
    const output = await noisy(7_000, 7_000).webp({ effort: 0 }).toBuffer();
    const expected = { format: 'webp', aspectRatio: '1:1' } as const;
    const works = [
      () => prepare(large),
      () => decoder.run('staged-output', [expected], { load: () => output }),
      () =>
        decoder.run('rendition', [{ ...plan, box: { width: 4_000, height: 4_000 } }, { pad: null }], {
          load: () => large,
        }),
    ];
    const codes: string[] = [];
    for (const work of works) {
      const ending = codeOf(work());
      const killed: number[] = [];
      for (const _ of [1, 2, 3]) {
        killed.push(await decoderAtWork(killed));
        process.kill(killed.at(-1) ?? 0, 'SIGKILL');
      }
      codes.push(await ending);
      await eventually(() => decoderPids().length === 0, { what: 'the end of the process' });
    }
    expect(codes).toEqual(['PHOTO_BROKEN', 'OUTPUT_INVALID', 'PHOTO_BROKEN']);
  }, 60_000);
});

describe('a decoder that is lost', () => {
  test.each([
    ['dies', 'SIGKILL', 'died'],
    ['stands still', 'SIGSTOP', 'time'],
  ] as const)(
    'because it %s is no proof: the picture is decoded again',
    async (_, signal, reason) => {
      open({ processes: 2, timeoutMs: signal === 'SIGSTOP' ? 10_000 : 60_000 });
      const ending = codeOf(prepare(large));
      process.kill(await decoderAtWork(), signal);
      expect(await ending).toBe('done');
      expect(lines[0]).toMatchObject({ event: 'decoder_lost', reason });
      // On a busy machine the try after it may end without an answer as well; that is no proof either.
      expect(lines.filter((line) => line.isGuilty !== false)).toEqual([]);
    },
    60_000,
  );

  test('leaves its picture alone in its lane', async () => {
    open({ processes: 2 });
    const ending = codeOf(prepare(large));
    const first = await decoderAtWork();
    process.kill(first, 'SIGKILL');
    const second = await decoderAtWork([first]);
    const beside = codeOf(prepare(small));
    expect(decoder.load).toEqual({ working: 2, waiting: 1 });
    expect(decoderPids()).toEqual([second]);
    expect([await ending, await beside]).toEqual(['done', 'done']);
  }, 60_000);
});

test('a decoder that dies while idle fails no task', async () => {
  open({ processes: 1 });
  await prepare(small);
  const [idle] = decoderPids();
  process.kill(idle ?? 0, 'SIGKILL');
  await eventually(() => decoderPids().length === 0, { what: 'its end' });
  expect(await codeOf(prepare(small))).toBe('done');
});

test('when no decoder starts, no picture is blamed', async () => {
  open({ memoryMb: 8 });
  expect(await codeOf(prepare(small))).toBe('SERVICE_UNAVAILABLE');
  expect(lines).toMatchObject([{ lane: 'test' }]);
  expect(decoder.load).toEqual({ working: 0, waiting: 0 });
});

describe('waiting tasks', () => {
  test('run in order up to the limit, and a waiting task holds no bytes', async () => {
    open({ processes: 1 });
    const held = heldTurn(decoder);
    const begun: number[] = [];
    const begins = (n: number) => () => {
      begun.push(n);
      return small;
    };
    const works = [1, 2, 3].map((n) => decoder.run('photo', ['fixed'], { load: begins(n) }).then(() => n));
    await eventually(() => decoder.load.waiting === 3, { what: 'three that wait' });
    expect(begun).toEqual([]);
    await held.giveBack();
    expect(await Promise.all(works)).toEqual([1, 2, 3]);
    expect(begun).toEqual([1, 2, 3]);
    expect(decoder.load).toEqual({ working: 0, waiting: 0 });
  });

  test('a caller that disconnects while it waits frees its place; during the work the process stays busy', async () => {
    open({ processes: 1 });
    const leaving = new AbortController();
    const working = codeOf(prepare(large, { signal: leaving.signal }));
    await decoderAtWork();
    const gone = AbortSignal.abort(new Error('was gone before'));
    expect(await codeOf(prepare(small, { signal: gone }))).toBe('Error: was gone before');
    const waiting = codeOf(prepare(small, { signal: leaving.signal }));
    expect(decoder.load).toEqual({ working: 1, waiting: 1 });
    leaving.abort(new Error('left'));
    expect(await Promise.all([working, waiting])).toEqual(['Error: left', 'Error: left']);
    expect(decoder.load).toEqual({ working: 1, waiting: 0 });
    expect(await codeOf(prepare(small))).toBe('done');
    expect(lost).toEqual([]);
  });
});

describe('processes', () => {
  test('start when there is work, stay for a while, and the last one stays', async () => {
    open({ processes: 2, idleMs: 50 });
    expect(decoderPids()).toEqual([]);
    await Promise.all([prepare(small), prepare(small), prepare(small)]);
    await eventually(() => decoderPids().length === 1, { what: 'one to be left' });
    const [last] = decoderPids();
    await prepare(small);
    expect(decoderPids()).toEqual([last]);
  });

  test('closing aborts running and waiting tasks, and leaves no process', async () => {
    open({ processes: 1 });
    const works = [codeOf(prepare(large)), codeOf(prepare(small))];
    const pid = await decoderAtWork();
    await decoder.close();
    expect(await Promise.all(works)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(isAlive(pid)).toBe(false);
    expect(await codeOf(prepare(small))).toBe('SERVICE_UNAVAILABLE');
    expect(lost).toEqual([]);
  });

  test('after a stop signal to the whole process group the decoders run until the role ends them', async () => {
    open({ processes: 1 });
    await prepare(small);
    const [pid] = decoderPids();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid ?? 0, signal);
    await prepare(small);
    expect(decoderPids()).toEqual([pid]);
  });
});

test.each([
  ['idle', []],
  ['at work', ['at-work']],
])('when a role is killed its decoders end too: %s', async (_, args) => {
  open();
  const owner = startProgram(['--no-warnings', 'tests/src/images/decoding/decoder-owner-run.ts', ...args]);
  const [, pid] = await owner.untilSaid(/decoder (\d+)/);
  owner.signal('SIGKILL');
  await owner.ended();
  await eventually(() => !isAlive(Number(pid)), { what: 'the end of the decoder', timeoutMs: 5_000 });
});
