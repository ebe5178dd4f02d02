import { describe, expect, test } from 'vitest';
import type { CheckedFile } from '../../../../../clients/web/pages/provenance/check/check-file.ts';
import {
  type CheckAnswer,
  createFileChecker,
  LONGEST_CHECK_MS,
  LONGEST_LOAD_MS,
} from '../../../../../clients/web/pages/provenance/check/file-checker.ts';
import { readMarks } from '../../../../../clients/web/pages/provenance/check/file-marks.ts';
import { withMemoryLimit } from '../../../../../clients/web/pages/provenance/check/limited-memory.ts';
import { manualTiming } from '../studio/manual-timing.ts';

/** What bounds the check of a file that someone has made to hold up the page. */
class StubWorker {
  onmessage: Worker['onmessage'] = null;
  onerror: Worker['onerror'] = null;
  readonly asked: unknown[] = [];
  isEnded = false;
  postMessage(request: unknown): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.isEnded = true;
  }
  say(data: CheckAnswer): void {
    this.onmessage?.call(this as never, { data } as MessageEvent);
  }
}

function open() {
  const timing = manualTiming();
  const workers: StubWorker[] = [];
  const checker = createFileChecker({
    openWorker() {
      const worker = new StubWorker();
      workers.push(worker);
      return worker;
    },
    now: timing.now,
    after: timing.after,
  });
  const check = () =>
    checker.check({ file: new File([], 'a.jpg'), pictures: { staged: null, original: null } });
  return { timing, workers, checker, check };
}
const checked: CheckedFile = {
  name: 'a.jpg',
  checksum: '',
  manifest: null,
  marks: { sourceTypes: [], statement: null },
  comparison: null,
};
const NOT_LOADED = { problem: 'provenance.check.notLoaded' };
const GAVE_UP = { problem: 'provenance.check.gaveUp' };

describe('a check', () => {
  test('that ends leaves its worker to the next one', async () => {
    const { workers, check } = open();
    for (const _ of [1, 2]) {
      const answer = check();
      workers[0]?.say({ state: 'read', checked });
      workers[0]?.say({ state: 'compared', comparison: 'none' });
      expect(await answer).toEqual({ ...checked, comparison: 'none' });
    }
    expect([workers.length, workers[0]?.isEnded, workers[0]?.asked.length]).toEqual([1, false, 2]);
  });

  test('that takes too long is ended, and the next one has a new worker', async () => {
    const { timing, workers, check } = open();
    const answer = check();
    timing.advance(LONGEST_CHECK_MS);
    expect([await answer, workers[0]?.isEnded]).toEqual([GAVE_UP, true]);
    void check();
    expect(workers).toHaveLength(2);
  });

  test('does not count the time of the network, and has one budget for all of its work', async () => {
    const { timing, workers, check } = open();
    const answer = check();
    for (const _ of [1, 2]) {
      timing.advance(LONGEST_CHECK_MS / 4);
      workers[0]?.say({ state: 'loading' });
      timing.advance(LONGEST_LOAD_MS - 1);
      workers[0]?.say({ state: 'loaded' });
    }
    timing.advance(LONGEST_CHECK_MS / 2 - 1);
    expect(workers[0]?.isEnded).toBe(false);
    timing.advance(1);
    expect([await answer, workers[0]?.isEnded]).toEqual([GAVE_UP, true]);
  });

  test('whose library does not arrive is ended', async () => {
    const { timing, workers, check } = open();
    const answer = check();
    workers[0]?.say({ state: 'loading' });
    timing.advance(LONGEST_LOAD_MS);
    expect([await answer, workers[0]?.isEnded]).toEqual([NOT_LOADED, true]);
  });

  test.each(['gaveUp', 'notLoaded'] as const)(
    'says what it read when the comparison ends with %s',
    async (end) => {
      const { timing, workers, check } = open();
      const answer = check();
      workers[0]?.say({ state: 'read', checked });
      if (end === 'notLoaded') workers[0]?.say({ state: 'loading' });
      timing.advance(end === 'gaveUp' ? LONGEST_CHECK_MS : LONGEST_LOAD_MS);
      expect([await answer, workers[0]?.isEnded]).toEqual([{ ...checked, comparison: end }, true]);
    },
  );

  test('is ended by a file that is chosen later, and with the page', async () => {
    const { workers, checker, check } = open();
    const first = check();
    const second = check();
    expect([await first, workers[0]?.isEnded, workers.length]).toEqual([GAVE_UP, true, 2]);
    checker.close();
    expect([await second, workers[1]?.isEnded]).toEqual([GAVE_UP, true]);
  });

  test('says what its worker says, and does not use a broken one again', async () => {
    const { workers, check } = open();
    const answer = check();
    workers[0]?.say({ state: 'failed', problem: 'provenance.check.gaveUp' });
    expect([await answer, workers[0]?.isEnded]).toEqual([GAVE_UP, true]);
  });
});

/** Exports its memory of one page as `m`, and nothing else. */
const MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 109, 2, 0);

test('memory beyond the limit is refused to a module', async () => {
  const memoryOf = async (module: Uint8Array<ArrayBuffer>) =>
    (await WebAssembly.instantiate(module)).instance.exports.m as WebAssembly.Memory;
  expect((await memoryOf(MODULE)).grow(300)).toBe(1);
  const limited = await memoryOf(withMemoryLimit(MODULE, 200 * 65_536));
  expect(limited.grow(199)).toBe(1);
  expect(() => limited.grow(1)).toThrow(RangeError);
  expect(() => withMemoryLimit(MODULE.subarray(0, 8), 65_536)).toThrow('no memory of its own');
});

test.each([
  ['packets that do not end', '<x:xmpmeta'.repeat(800_000)],
  ['properties that do not end', `<x:xmpmeta>${':DigitalSourceType '.repeat(200_000)}</x:xmpmeta>`],
  ['properties without a closing quote', `<x:xmpmeta>${':WebStatement="'.repeat(200_000)}</x:xmpmeta>`],
])('%s are read in one pass', async (_, text) => {
  const startedAt = performance.now();
  await readMarks(new TextEncoder().encode(text));
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
