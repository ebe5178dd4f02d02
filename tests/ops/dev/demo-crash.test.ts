import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEMO_TIMEOUT_MS, drawnRooms, resultOf, startDemo, tableOf } from './demo-harness.ts';

test(
  'with --crash the demo ends with the same table and the same number of purchases',
  async () => {
    const photos = await drawnRooms(['DINING_ROOM', 'TV_ROOM', 'BATHROOM', 'BEDROOM']);
    const run = startDemo([photos, '--crash']);
    expect([await run.program.ended(), run.program.said().slice(-200)]).toEqual([0, expect.anything()]);
    const said = run.program.said();

    const [, first, painting] = /kill -9 of the worker \(process (\d+)\): (\d+) predictions/.exec(said) ?? [];
    const [, second] = /The worker is back \(process (\d+)\)/.exec(said) ?? [];
    expect(Number(painting)).toBeGreaterThanOrEqual(2);
    expect(Number(second)).not.toBe(Number(first));
    // The first worker bought them, the second one finished them.
    const log = readFileSync(join(run.out, 'roles.log'), 'utf8').split('\n');
    const pids = (event: string) =>
      log.filter((line) => line.includes(`"event":"${event}"`)).map((line) => /"pid":(\d+)/.exec(line)?.[1]);
    expect(pids('prediction_created')).toContain(first);
    expect(pids('completed')).toContain(second);

    expect(tableOf(said)).toEqual([
      ['1', 'DINING_ROOM', 'MODERN', '1', 'SUCCESS', 'APPROVED'],
      ['2', 'TV_ROOM', 'SCANDINAVIAN', '1', 'SUCCESS', 'REJECTED'],
      ['3', 'BATHROOM', 'INDUSTRIAL', '1', 'CANCELED', '–'],
      ['4', 'BEDROOM', 'FARMHOUSE', '1', 'SUCCESS', 'PENDING_REVIEW'],
    ]);
    expect(said).toContain(
      '✓ 4 purchases for 4 attempts: nothing was bought twice, although the worker was killed on the way',
    );
    expect(resultOf(run)).toMatchObject({
      crashed: true,
      ledgerSummary: { purchases: 4, attempts: 4, boughtTwice: 0 },
    });
  },
  DEMO_TIMEOUT_MS,
);
