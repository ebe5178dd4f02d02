import { initialDeletionItem } from '../../../../machines/deletion-item.ts';
import type { StorageDeletionReason } from '../../../../machines/vocabulary.ts';
import type { Session } from './session.ts';
import { FINAL_JOBS, type StoredJob } from './tables.ts';

/** What the triggers of migration 0010 do, for the in-memory database. */

/** `property_images_schedule_deletion`. */
export function scheduleDeletion(session: Session, objectKey: string, reason: StorageDeletionReason): void {
  const { newId, now } = session.server;
  const id = newId();
  session.write('deletionItem', id, {
    kind: 'deletionItem',
    id,
    version: 0,
    state: 'PENDING',
    objectKey,
    reason,
    context: { ...initialDeletionItem, nextAttemptAt: now() },
  });
}

/** `property_images_cancel_jobs`: a job that a submission slipped in is moved before its original goes. */
export async function cancelJobsOf(session: Session, originalImageId: string): Promise<void> {
  const at = session.server.now();
  const open = session
    .all('stagingJob')
    .filter(
      (job) =>
        job.kind === 'stagingJob' &&
        job.details.originalImageId === originalImageId &&
        !FINAL_JOBS.has(job.state),
    );
  for (const { id } of open) {
    await session.lock(`job ${id}`);
    const job = session.read('stagingJob', id);
    if (job === null || FINAL_JOBS.has(job.state) || job.state === 'CANCEL_REQUESTED') continue;
    const waiting = job.state.startsWith('PENDING');
    const to = waiting ? 'CANCELED' : 'CANCEL_REQUESTED';
    session.write('stagingJob', id, { ...canceled(job, waiting, at), state: to });
    session.append({
      kind: 'stagingJob',
      id,
      seq: job.version + 1,
      event: { type: 'ORIGINAL_DELETED', at },
      from: job.state,
      to,
      by: 'database',
      leaseEpoch: null,
    });
  }
}

function canceled(job: StoredJob, over: boolean, at: number): StoredJob {
  const context = {
    ...job.context,
    retryAt: null,
    cancelRequestedAt: job.context.cancelRequestedAt ?? at,
    ...(over ? { canceledAt: at, finishedAt: at } : {}),
  };
  return { ...job, context, version: job.version + 1, heartbeatAt: at, lease: over ? null : job.lease };
}
