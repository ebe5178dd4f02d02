import { expect, test } from 'vitest';
import { createUploadTurns } from '../../../../src/images/uploads/upload-turns.ts';
import { QueueFull } from '../../../../src/limits/fair-queue.ts';

const never = new AbortController().signal;

function open() {
  const noted: string[] = [];
  const turns = createUploadTurns({ note: (reason) => void noted.push(reason) });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const upload = (userId: string, remoteAddress: string, name = userId) =>
    turns.run(
      { userId, remoteAddress },
      () => {
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

test('beyond a bound the uploader comes again', async () => {
  const { noted, upload } = open();
  for (let n = 0; n < 101; n += 1) void upload('busy', '192.0.2.1', `busy ${n}`);
  const error = await upload('busy', '192.0.2.1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 });
  expect((error as Error).cause).toBeInstanceOf(QueueFull);
  expect(noted).toEqual(['uploads']);
});
