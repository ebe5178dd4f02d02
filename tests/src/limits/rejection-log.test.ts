import { describe, expect, test } from 'vitest';
import { createRejectionLog } from '../../../src/limits/rejection-log.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';

function listen() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  let now = 1_000_000;
  const logger = createLogger({ role: 'web', level: 'info', destination });
  const rejections = createRejectionLog(logger, () => now, 'provider callback refused');
  const log = { note: (reason: string, requestId: string) => rejections.note(reason, { reason, requestId }) };
  return { lines, log, pass: (ms: number) => (now += ms) };
}

describe('the log of rejections', () => {
  test('the first of each reason is logged at once, with its request', () => {
    const { lines, log } = listen();
    log.note('signature', 'request-1');
    log.note('too-old', 'request-2');
    expect(lines).toMatchObject([
      { level: 'warn', reason: 'signature', requestId: 'request-1', refusedBefore: 0 },
      { level: 'warn', reason: 'too-old', requestId: 'request-2', refusedBefore: 0 },
    ]);
  });

  test('a flood is one line in ten seconds, and the next line counts the rest', () => {
    const { lines, log, pass } = listen();
    for (let refused = 0; refused < 5_000; refused += 1) {
      log.note('signature', `request-${refused}`);
      pass(1);
    }
    expect(lines).toHaveLength(1);
    pass(5_000);
    log.note('signature', 'later');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ requestId: 'later', refusedBefore: 4_999 });
    pass(10_000);
    log.note('signature', 'after a calm');
    expect(lines[2]).toMatchObject({ requestId: 'after a calm', refusedBefore: 0 });
  });
});
