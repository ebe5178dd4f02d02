import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { objectBody } from '../../../../src/images/renditions/object-body.ts';

const opened = () => new Readable({ read() {} });

test('a body that is never read releases its stream', async () => {
  const stream = opened();
  await objectBody(stream)[Symbol.asyncIterator]().return?.();
  expect(stream.destroyed).toBe(true);
});

test('a body that is abandoned in the middle releases its stream', async () => {
  const stream = opened();
  stream.push('one');
  for await (const piece of objectBody(stream)) {
    expect(String(piece)).toBe('one');
    break;
  }
  expect(stream.destroyed).toBe(true);
});

test('a failure before the first read rejects that read', async () => {
  const stream = opened();
  const body = objectBody(stream)[Symbol.asyncIterator]();
  const closed = new Promise((resolve) => stream.on('close', resolve));
  stream.destroy(new Error('connection lost'));
  await closed;
  await expect(body.next()).rejects.toThrow('connection lost');
});
