import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';
import { DEMO_TIMEOUT_MS, drawnRooms, resultOf, startDemo, tableOf } from './demo-harness.ts';

describe('the demo, with the whole platform as processes', () => {
  test(
    'stages, approves, rejects and cancels, buys each picture once, and shows everything',
    async () => {
      const photos = await drawnRooms(['LIVING_ROOM', 'BEDROOM', 'KITCHEN', 'OFFICE']);
      writeFileSync(join(photos, '09-notes.jpg'), 'no picture at all');
      const small = await drawSampleRoom('OFFICE', { width: 640, height: 480, seed: 9 });
      writeFileSync(join(photos, '10-small.jpg'), small);
      const run = startDemo([photos, '--style', 'luxury,modern']);
      expect([await run.program.ended(), run.program.said().slice(-200)]).toEqual([0, expect.anything()]);
      const said = run.program.said();

      expect(tableOf(said)).toEqual([
        ['1', 'LIVING_ROOM', 'LUXURY', '1', 'SUCCESS', 'APPROVED'],
        ['2', 'BEDROOM', 'MODERN', '1', 'SUCCESS', 'REJECTED'],
        ['3', 'KITCHEN', 'LUXURY', '1', 'CANCELED', '–'],
        ['4', 'OFFICE', 'MODERN', '1', 'SUCCESS', 'PENDING_REVIEW'],
      ]);
      expect(said).toContain('09-notes.jpg was refused: HTTP 415 PHOTO_TYPE_UNSUPPORTED');
      expect(said).toMatch(/#1 01-living-room: PROCESSING, attempt 1 \w+/);
      expect(said).toContain('✓ the public sees the approved picture, labeled, and no other');
      expect(said).not.toContain('✗');
      expect(said).toContain('10-small.jpg was refused: 640 x 480: a photo with a side under 512 px');

      const { ledgerSummary, files, jobs, checks } = resultOf(run);
      expect(ledgerSummary).toMatchObject({ purchases: 4, attempts: 4, boughtTwice: 0 });
      expect(checks.every(({ holds }) => holds)).toBe(true);
      expect(jobs.map(({ after }) => after)).toEqual([
        'after/01-01-living-room.jpg',
        'after/02-02-bedroom.jpg',
        null,
        'after/04-04-office.jpg',
      ]);
      expect(files.filter((file) => !existsSync(join(run.out, file)))).toEqual([]);
      const before = await sharp(join(run.out, jobs[0]?.before ?? '')).metadata();
      expect([before.width, before.height]).toEqual([900, 600]);
      const after = await sharp(join(run.out, jobs[0]?.after ?? '')).metadata();
      expect((after.width ?? 0) / (after.height ?? 1)).toBeCloseTo(1.5, 1);
      expect((await sharp(join(run.out, 'contact-sheet.png')).metadata()).format).toBe('png');
    },
    DEMO_TIMEOUT_MS,
  );

  test(
    'Ctrl-C stops everything',
    async () => {
      const run = startDemo([await drawnRooms(['BATHROOM'])]);
      const [, pid] = await run.program.untilSaid(/worker process (\d+)/);
      run.program.signal('SIGINT');
      expect(await run.program.ended()).toBe(130);
      expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    },
    DEMO_TIMEOUT_MS,
  );
});

describe('the demo fails with a clear message and exit code 1 before it starts anything', () => {
  test.each([
    [['--stile', 'MODERN'], "Unknown option '--stile'"],
    [['--style', 'MODERN,cosy'], '"cosy" is not a style. Choose from MODERN, SCANDINAVIAN'],
    [['--room', 'garage'], '"garage" is not a room. Choose from BEDROOM, LIVING_ROOM'],
    [['/no/such/photo.jpg'], '/no/such/photo.jpg: there is no such file or folder.'],
    [[temporaryDirectory()], 'the folder holds no JPEG, PNG, WebP, AVIF or HEIC files'],
  ])('%j', async (args, words) => {
    const program = startProgram(['ops/cli/demo.ts', ...args]);
    expect(await program.ended()).toBe(1);
    expect(program.said()).toContain(words);
    expect(program.said()).not.toContain('Starting the platform');
  });

  test('--help prints the help', async () => {
    const program = startProgram(['ops/cli/demo.ts', '--help']);
    expect(await program.ended()).toBe(0);
    expect(program.said()).toContain('--crash');
  });
});
