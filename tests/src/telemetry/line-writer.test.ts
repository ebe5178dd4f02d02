import { expect, test } from 'vitest';
import { createLineWriter } from '../../../src/telemetry/line-writer.ts';

/** A descriptor that takes at most `room` bytes, as a disk does. */
function disk(room: number) {
  let written = '';
  const state = { room, refusals: 0 };
  const writer = createLineWriter(1, (_fd, bytes) => {
    const taken = bytes.subarray(0, state.room);
    if (taken.length === 0) {
      state.refusals += 1;
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    }
    state.room -= taken.length;
    written += Buffer.from(taken).toString();
    return taken.length;
  });
  return { writer, state, written: () => written };
}

test('lines that a full disk refuses are lost without a word, and counted when there is room again', () => {
  const { writer, state, written } = disk(14);
  for (const line of ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']) writer.write(`${line}\n`);
  expect(state.refusals).toBe(3);
  state.room = 1_000;
  writer.write('{"n":5}\n');
  writer.write('{"n":6}\n');
  expect(written().split('\n')).toEqual([
    '{"n":1}',
    '{"n":2',
    '{"n":5}',
    '{"level":"warn","linesLost":3,"msg":"lines could not be written"}',
    '{"n":6}',
    '',
  ]);
});

test('a pipe that is full for a moment gets its line', () => {
  let busy = 3;
  const taken: string[] = [];
  const writer = createLineWriter(1, (_fd, bytes) => {
    busy -= 1;
    if (busy >= 0) throw Object.assign(new Error('busy'), { code: 'EAGAIN' });
    taken.push(Buffer.from(bytes).toString());
    return bytes.length;
  });
  writer.write('a line\n');
  expect(taken).toEqual(['a line\n']);
});
