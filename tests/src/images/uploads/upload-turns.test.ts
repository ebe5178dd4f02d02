import { expect, test } from 'vitest';
import type { Decoder } from '../../../../src/images/decoding/decoder.ts';
import { createUploadTurns } from '../../../../src/images/uploads/upload-turns.ts';
import { QueueFull } from '../../../../src/limits/fair-queue.ts';

const never = new AbortController().signal;
const FILE = Buffer.from('any file');
const HEIC = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');

function open() {
  const noted: string[] = [];
  // Only handed on.
  const decoders = { heic: { name: 'heic' }, uploads: { name: 'uploads' } } as unknown as Record<
    'heic' | 'uploads',
    Decoder
  >;
  const turns = createUploadTurns({
    rejections: { note: (reason) => void noted.push(reason) },
    decoders,
    isHeicTaken: true,
  });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const upload = (userId: string, remoteAddress: string, name = userId, file = FILE) =>
    turns.run(
      { userId, remoteAddress, file },
      (decoder) => {
        expect(decoder).toBe(decoders[file === HEIC ? 'heic' : 'uploads']);
        began.push(name);
        return new Promise<void>((resolve) => void ends.set(name, resolve));
      },
      never,
    );
  const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { began, noted, upload, settle, end };
}

test('a flood from one network leaves a decoder for the others', async () => {
  const { began, upload, settle, end } = open();
  for (let n = 0; n < 10; n += 1) void upload(`flood ${n}`, '192.0.2.1');
  await settle();
  void upload('other', '192.0.2.2');
  void upload('third', '2001:db8::1');
  await settle();
  expect(began).toEqual(['flood 0', 'other']);
  await end('other');
  expect(began.at(-1)).toBe('third');
});

test('the people of an office take turns', async () => {
  const { began, upload, settle, end } = open();
  for (let n = 0; n < 3; n += 1) void upload('busy', '192.0.2.1', `busy ${n}`);
  void upload('colleague', '192.0.2.1');
  await settle();
  await end('busy 0');
  expect(began).toEqual(['busy 0', 'colleague']);
});

test('HEIC photos are decoded one at a time, and no other photo waits for them', async () => {
  const { began, upload, settle, end } = open();
  for (let n = 0; n < 3; n += 1) void upload('phone', `192.0.2.${n}`, `heic ${n}`, HEIC);
  void upload('camera', '192.0.2.0');
  await settle();
  expect(began).toEqual(['heic 0', 'camera']);
  await end('heic 0');
  expect(began.at(-1)).toBe('heic 1');
});

test('beyond a bound the uploader comes again', async () => {
  const { noted, upload } = open();
  for (let n = 0; n < 101; n += 1) void upload('busy', '192.0.2.1', `busy ${n}`);
  const error = await upload('busy', '192.0.2.1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 });
  expect((error as Error).cause).toBeInstanceOf(QueueFull);
  expect(noted).toEqual(['uploads']);
});
