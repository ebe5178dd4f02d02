import { inShare } from '../../support/share.ts';

/**
 * Every point at which a process is killed, frozen or terminated: before and after each step of the pipeline
 * (docs/invariants.md#faults). `worker` points are checkpoints in the worker; at the others a gate between
 * the process and another service holds the request, or its answer, until the action is done. `database` points
 * are those of a web, the others those of a worker.
 */
type Seam = 'worker' | 'provider' | 'storage' | 'database';
interface NamedPoint {
  seam: Seam;
  /** Which step has just been done and which has not. */
  meaning: string;
}

export const NAMED_POINTS = {
  'before-reserve': { seam: 'worker', meaning: 'no attempt is reserved' },
  'after-reserve': { seam: 'worker', meaning: 'an attempt is reserved, not claimed' },
  'before-claim': { seam: 'worker', meaning: 'about to claim the attempt for sending' },
  'after-claim': { seam: 'worker', meaning: 'claimed, the POST not begun' },
  'before-post': { seam: 'worker', meaning: 'claimed, about to POST' },
  'before-answer': { seam: 'provider', meaning: 'bought, the answer not read' },
  'after-post': { seam: 'worker', meaning: 'the answer is read' },
  'before-id-stored': { seam: 'worker', meaning: 'the prediction id is known, not stored' },
  'after-id-stored': { seam: 'worker', meaning: 'the prediction id is stored' },
  'before-download': { seam: 'worker', meaning: 'the prediction succeeded, its output not fetched' },
  'before-put': { seam: 'storage', meaning: 'downloaded, the object not stored' },
  'before-put-answer': { seam: 'storage', meaning: 'the object is stored, its answer not read' },
  'after-put': { seam: 'worker', meaning: 'the object is stored, the result not recorded' },
  'after-result-recorded': { seam: 'worker', meaning: 'the result is recorded' },
  'before-outbox-claim': { seam: 'worker', meaning: 'about to claim deletions' },
  'after-outbox-claim': { seam: 'worker', meaning: 'deletions are claimed, none is done' },
  'before-delete': { seam: 'storage', meaning: 'about to delete an object' },
  'before-delete-answer': { seam: 'storage', meaning: 'the object is deleted, its answer not read' },
  'after-delete': { seam: 'worker', meaning: 'the object is deleted, not recorded' },
  'after-drift-claim': { seam: 'worker', meaning: 'a comparison is claimed, not begun' },
  'after-drift-put': { seam: 'worker', meaning: 'a heat map is stored, its comparison not recorded' },
  'after-drift-record': { seam: 'worker', meaning: 'a comparison is recorded' },
  'after-photo-claim': { seam: 'worker', meaning: 'a photo is claimed, not looked up' },
  'after-fingerprint-claim': { seam: 'worker', meaning: 'a fingerprint is claimed, not made' },
  'before-search-write': { seam: 'worker', meaning: 'a document is built, not written' },
  'after-search-write': { seam: 'worker', meaning: 'a document is written, not confirmed' },
  'before-commit': { seam: 'database', meaning: 'a decision is written, not committed' },
  'after-commit': { seam: 'database', meaning: 'a decision is committed, the answer not read' },
} as const satisfies Record<string, NamedPoint>;

export type PointName = keyof typeof NAMED_POINTS;
const POINT_NAMES = Object.keys(NAMED_POINTS) as PointName[];
export type WebPoint = Extract<PointName, `${string}-commit`>;
const isWebPoint = (name: PointName): name is WebPoint => NAMED_POINTS[name].seam === 'database';
export const WEB_POINTS = POINT_NAMES.filter(isWebPoint);
export const WORKER_POINTS = POINT_NAMES.filter((name) => !isWebPoint(name));
/** Whether this run's share has the point (tests/support/share.ts). */
export const isWalked = (point: PointName): boolean => inShare(POINT_NAMES.indexOf(point));
export const isPoint = (name: string): name is PointName => name in NAMED_POINTS;
