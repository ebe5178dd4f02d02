import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import type { DemoJob } from '../../../ops/dev/demo/job.ts';
import { discardCluster } from '../../../ops/dev/stack/postgres-cluster.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { type StartedProgram, startProgram } from '../../support/platform/started-program.ts';

/** Real processes on two cores beside other test files: far more time than a run needs. */
export const DEMO_TIMEOUT_MS = 150_000;

/** One demo with folders of its own. */
export interface DemoRun {
  program: StartedProgram;
  out: string;
}

/** The content of `result.json`. */
export interface DemoResult {
  crashed: boolean;
  jobs: {
    photo: string;
    room: string;
    style: string;
    attempts: number;
    status: string;
    review: string | null;
    before: string | null;
    after: string | null;
  }[];
  refused: { photo: string; why: string }[];
  ledgerSummary: { purchases: number; attempts: number; boughtTwice: number };
  checks: { holds: boolean; what: string }[];
  files: string[];
}

/** A folder of drawn rooms: `01-bedroom.jpg` and so on. */
export async function drawnRooms(rooms: CanonicalRoomType[]): Promise<string> {
  const folder = join(temporaryDirectory(), 'photos');
  mkdirSync(folder);
  for (const [index, room] of rooms.entries()) {
    const bytes = await drawSampleRoom(room, { width: 900, height: 600, seed: index });
    writeFileSync(join(folder, `0${index + 1}-${room.toLowerCase().replace('_', '-')}.jpg`), bytes);
  }
  return folder;
}

export function startDemo(args: string[]): DemoRun {
  const folder = temporaryDirectory();
  const [out, data] = [join(folder, 'out'), join(folder, 'data')];
  const program = startProgram(['ops/cli/demo.ts', ...args, '--out', out, '--data', data], {
    env: { NO_COLOR: '1' },
  });
  // As root, the database lies outside the temporary folder and would stay.
  onTestFinished(() => discardCluster(data));
  return { program, out };
}

export function resultOf({ out }: DemoRun): DemoResult {
  return JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as DemoResult;
}

/** The lines of the table that a demo prints: number, room, style, attempts, status, review. */
export function tableOf(said: string): string[][] {
  const [, table = ''] = said.split('\nJobs\n');
  const rows = (table.split('\n\n')[0] ?? '').trim().split('\n').slice(2);
  return rows.map((row) => {
    const [number = '', , , room = '', style = '', attempts = '', , status = '', review = ''] = row
      .trim()
      .split(/ {2,}/);
    return [number, room, style, attempts, status, review];
  });
}

/** A job as the demo stores it, for tests that need no platform. */
export function aJob(changes: Partial<DemoJob> & { number: number }): DemoJob {
  const { number } = changes;
  const fileName = `room-${number}.jpg`;
  const photo = {
    name: `room-${number}`,
    fileName,
    room: 'BEDROOM' as const,
    style: 'MODERN' as const,
    read: () => Promise.resolve(Buffer.alloc(0)),
  };
  return {
    photo,
    imageId: `image-${number}`,
    aiJobId: `job-${number}`,
    submittedAt: 0,
    endedAt: null,
    seen: { status: 'PENDING', attempts: [], errorCode: null, resultImageId: null },
    plan: 'leave',
    review: null,
    before: null,
    after: null,
    ...changes,
  };
}
