import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../../src/api/routers/app.ts';
import type { DemoPhoto } from './photos.ts';

/** A staging job as `ai.getStagingJob` returns it. */
type JobOnTheWire = inferRouterOutputs<AppRouter>['ai']['getStagingJob'];

type Review = 'PENDING_REVIEW' | 'APPROVED' | 'REJECTED';

/** A photo that the API host rejected. */
export interface Refused {
  photo: DemoPhoto;
  /** HTTP status, code and message of the API host. */
  why: string;
}

/** One submitted photo: the request, and the last answer of the API host. */
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

/** Whether the provider is making its picture now. */
export function isPainting({ seen }: Pick<DemoJob, 'seen'>): boolean {
  return seen.status === 'PROCESSING' && seen.attempts.at(-1)?.status === 'RUNNING';
}

/** The first job is approved, the second rejected, the third canceled; further ones are left. */
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

/** `[ 12.3 s] text` */
export function stamped(text: string, ms: number): string {
  return `[${(ms / 1000).toFixed(1).padStart(5)} s] ${text}`;
}

/** `TV_ROOM` as `TV room`. */
export function toText(name: string): string {
  const words = name.toLowerCase().replaceAll('_', ' ');
  return words.startsWith('tv') ? `TV${words.slice(2)}` : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
