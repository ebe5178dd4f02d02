import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import sharp from 'sharp';
import type { AgentClient } from './agent.ts';
import { drawContactSheet } from './contact-picture.ts';
import { type DemoJob, elapsedMs } from './job.ts';
import type { RunResult } from './outcome.ts';

/**
 * The output folder of the demo. `result.json` names every file that a run has written. The next run removes
 * exactly those; any other file stays.
 */

const RESULT = 'result.json';
const SHEET = 'contact-sheet.png';

/** Makes the folder and removes what an earlier run wrote into it. */
export async function prepareOutput(out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  for (const file of await filesOfEarlierRun(out)) {
    if (!normalize(file).startsWith('..')) await rm(join(out, file), { force: true });
  }
}

/** Stores the pictures of all jobs as the agent sees them; sets their `before` and `after`. */
export async function writePictures(
  out: string,
  jobs: readonly DemoJob[],
  agent: Pick<AgentClient, 'picture'>,
): Promise<void> {
  for (const job of jobs) {
    const name = fileNameOf(job);
    job.before = await writePicture(out, `before/${name}`, await agent.picture(job.imageId));
    const staged = job.seen.resultImageId;
    job.after =
      staged === null ? null : await writePicture(out, `after/${name}`, await agent.picture(staged));
  }
}

/** Writes the contact sheet and `result.json`. */
export async function writeResult(out: string, result: RunResult): Promise<string[]> {
  await writeFile(join(out, SHEET), await drawContactSheet(out, result));
  const pictures = result.jobs.flatMap(({ before, after }) => [before, after]);
  const files = [SHEET, ...pictures.filter((file) => file !== null)];
  await writeFile(join(out, RESULT), `${JSON.stringify(summary(result, files), null, 2)}\n`);
  return [SHEET, RESULT].map((file) => join(out, file));
}

/** For programs: the table of the run. */
function summary({ crashed, jobs, refused, checks, ledgerSummary }: RunResult, files: string[]) {
  return {
    crashed,
    jobs: jobs.map((job) => ({
      number: job.number,
      aiJobId: job.aiJobId,
      photo: job.photo.fileName,
      room: job.photo.room,
      style: job.photo.style,
      attempts: job.seen.attempts.length,
      elapsedMs: elapsedMs(job, Date.now()),
      status: job.seen.status,
      errorCode: job.seen.errorCode,
      review: job.review,
      before: job.before,
      after: job.after,
    })),
    refused: refused.map(({ photo, why }) => ({ photo: photo.fileName, why })),
    ledgerSummary,
    checks,
    files,
  };
}

async function filesOfEarlierRun(out: string): Promise<string[]> {
  try {
    const { files } = JSON.parse(await readFile(join(out, RESULT), 'utf8')) as { files?: unknown };
    return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
  } catch {
    // No earlier run, or a file that is not ours: nothing to remove.
    return [];
  }
}

async function writePicture(out: string, name: string, bytes: Buffer): Promise<string> {
  const { format } = await sharp(bytes).metadata();
  const file = `${name}.${format === 'jpeg' ? 'jpg' : format}`;
  await mkdir(dirname(join(out, file)), { recursive: true });
  await writeFile(join(out, file), bytes);
  return file;
}

/** `03-dining-room-01`: safe in a path and in a URL. */
function fileNameOf({ number, photo }: DemoJob): string {
  const plain = photo.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${String(number).padStart(2, '0')}-${plain || 'photo'}`;
}
