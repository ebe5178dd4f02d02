import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../../src/api/routers/app.ts';
import type { DemoPhoto } from './photos.ts';

/** A staging job as `ai.getStagingJob` shows it. */
type JobOnTheWire = inferRouterOutputs<AppRouter>['ai']['getStagingJob'];

type Review = 'PENDING_REVIEW' | 'APPROVED' | 'REJECTED';

/** A photo that the API host refused. */
export interface Refused {
  photo: DemoPhoto;
  /** HTTP status, code and the API's words. */
  why: string;
}

/** One photo on its way: what was asked, and what the API host said last. */
export interface DemoJob {
  /** From 1, as shown everywhere. */
  number: number;
  photo: DemoPhoto;
  imageId: string;
  aiJobId: string;
  seen: Pick<JobOnTheWire, 'status' | 'attempts' | 'errorCode' | 'resultImageId'>;
  /** Milliseconds since the epoch; `endedAt` once it was seen in a final status. */
  submittedAt: number;
  endedAt: number | null;
  /** What the demo does with it. */
  plan: 'approve' | 'reject' | 'cancel' | 'leave';
  review: Review | null;
  /** Paths within the output folder. */
  before: string | null;
  after: string | null;
}

const FINAL: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'CANCELED']);

export function isOver({ seen }: Pick<DemoJob, 'seen'>): boolean {
  return FINAL.has(seen.status);
}

/** Whether the provider is making its picture at this moment. */
export function isPainting({ seen }: Pick<DemoJob, 'seen'>): boolean {
  return seen.status === 'PROCESSING' && seen.attempts.at(-1)?.status === 'RUNNING';
}

/** What is done with the n-th of `count` jobs; one alone is approved, a third is needed to cancel one. */
export function planOf(index: number): DemoJob['plan'] {
  return (['approve', 'reject', 'cancel'] as const)[index] ?? 'leave';
}

/** Milliseconds since the submission, up to its end. */
export function elapsedMs({ submittedAt, endedAt }: DemoJob, now: number): number {
  return (endedAt ?? now) - submittedAt;
}

/** `12.3 s` */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
