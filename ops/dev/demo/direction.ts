import { setTimeout as sleep } from 'node:timers/promises';
import { changeSettings, releaseHeld } from '../../simulator/control-client.ts';
import type { Api } from './agent.ts';
import { type DemoJob, isOver, isPainting } from './job.ts';
import type { DemoPlatform } from './platform.ts';
import type { Progress } from './progress.ts';

/**
 * Watches the jobs to their end; meanwhile it cancels one and crashes the worker. The provider holds its pictures
 * until both have happened. So the cancellation always meets a running prediction, and the crash always leaves some
 * in flight, whatever the speed of the machine.
 */
export interface Direction {
  api: Api;
  platform: DemoPlatform;
  propertyId: string;
  /** Their `seen` and `endedAt` are updated from the API host's answers. */
  jobs: readonly DemoJob[];
  progress: Progress;
  crash: boolean;
  signal: AbortSignal;
}

const LOOK_EVERY_MS = 250;
/** A pause between two scenes, so that viewers can follow. */
const PAUSE_MS = 1_500;
/** Longer than a lease (15 s) and a job's back-off (30 s with jitter) together. */
const PATIENCE_MS = 75_000;
const PAGE = 100;

/** No picture finishes before `directJobs` allows it. Call it before anything is submitted. */
export async function holdPictures({ stack }: DemoPlatform): Promise<void> {
  await changeSettings(stack.providerBaseUrl ?? '', { hold: true });
}

/** @throws Error when nothing has changed for 75 s */
export async function directJobs(direction: Direction): Promise<void> {
  const { jobs, progress, signal } = direction;
  const scenes = [cancelOne, crashAndRecover, letPicturesGo];
  let movedAt = Date.now();
  let sceneAt = Date.now();
  while (!jobs.every(isOver)) {
    signal.throwIfAborted();
    if (await look(direction)) movedAt = Date.now();
    progress.show(jobs, Date.now());
    const scene = Date.now() - sceneAt < PAUSE_MS ? undefined : scenes[0];
    if (scene !== undefined && (await scene(direction))) {
      scenes.shift();
      sceneAt = movedAt = Date.now();
      continue;
    }
    if (Date.now() - movedAt > PATIENCE_MS) throw new Error(`Nothing has moved for ${PATIENCE_MS / 1000} s.`);
    await sleep(LOOK_EVERY_MS);
  }
  // All jobs may have failed before the pictures were released.
  if (scenes.includes(letPicturesGo)) await letPicturesGo(direction);
}

/** @returns whether anything has changed since the last look */
async function look({ api, jobs, propertyId }: Direction): Promise<boolean> {
  const byId = new Map(jobs.map((job) => [job.aiJobId, job]));
  let moved = false;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Api['ai']['listStagingJobs']['query']>> =
      await api.ai.listStagingJobs.query({ propertyId, limit: PAGE, cursor });
    for (const item of page.items) {
      const job = byId.get(item.aiJobId);
      if (job === undefined) continue;
      moved ||= JSON.stringify(job.seen.attempts) !== JSON.stringify(item.attempts);
      moved ||= job.seen.status !== item.status;
      job.seen = item;
      if (isOver(job)) job.endedAt ??= Date.now();
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return moved;
}

// A scene returns whether it is over; an unfinished one is called again after the next look.

async function cancelOne({ api, jobs, progress }: Direction): Promise<boolean> {
  const job = jobs.find(({ plan }) => plan === 'cancel');
  if (job === undefined || isOver(job)) return true;
  if (!isPainting(job)) return false;
  progress.note(`The agent cancels #${job.number} ${job.photo.name} while it runs.`, Date.now());
  await api.ai.cancelStagingJob.mutate({ aiJobId: job.aiJobId });
  return true;
}

async function crashAndRecover({ crash, jobs, platform, progress }: Direction): Promise<boolean> {
  if (!crash) return true;
  const leaving = jobs.some(({ plan, seen }) => plan === 'cancel' && seen.status === 'CANCEL_REQUESTED');
  const painting = jobs.filter(isPainting).length;
  const waiting = jobs.filter((job) => !isOver(job)).length;
  if (waiting === 0) return true;
  if (leaving || painting < Math.min(2, waiting)) return false;
  const pid = platform.workerPid();
  await platform.crashWorker();
  progress.note(`kill -9 of the worker (process ${pid}): ${painting} predictions are running.`, Date.now());
  await platform.startWorkerAgain();
  const again = `The worker is back (process ${platform.workerPid()}); it takes the jobs over when their leases run out.`;
  progress.note(again, Date.now());
  return true;
}

async function letPicturesGo({ jobs, platform }: Direction): Promise<boolean> {
  if (jobs.some(({ seen }) => seen.status === 'CANCEL_REQUESTED')) return false;
  await releaseHeld(platform.stack.providerBaseUrl ?? '');
  return true;
}
