import type { UnderLease } from '../../../../persistence/actors/actor-store.ts';
import { type Connection, Session } from './session.ts';

/** The second inputs of jobs, as persistence/jobs has them. */

/**
 * As persistence/jobs/room-groups.ts: the object of the first approved picture of the group, whose row stays locked to
 * the end of the transaction. The row may have changed while its lock was waited for.
 */
export async function referenceOfGroup(session: Session, groupId: string): Promise<string | null> {
  const [first] = session
    .all('imageReview')
    .filter(
      ({ state, jobId }) => state === 'APPROVED' && jobId !== null && isOfGroup(session, jobId, groupId),
    )
    .sort((a, b) => (a.context.reviewedAt ?? 0) - (b.context.reviewedAt ?? 0) || (a.id < b.id ? -1 : 1));
  if (first === undefined) return null;
  await session.lock(`image ${first.id}`);
  return session.read('imageReview', first.id)?.objectKey ?? null;
}

function isOfGroup(session: Session, jobId: string, groupId: string): boolean {
  const job = session.read('stagingJob', jobId);
  return job?.kind === 'stagingJob' && job.details.groupId === groupId;
}

/** As persistence/jobs/job-inputs.ts: one statement, under the lock of the job. */
export async function dropLostReference(
  { server, owner: process, hop }: Connection,
  { jobId, owner, epoch }: UnderLease,
): Promise<boolean> {
  await hop('drop lost reference');
  const session = new Session(server, process);
  try {
    await session.lock(`job ${jobId}`);
    const job = session.read('stagingJob', jobId);
    if (job?.kind !== 'stagingJob' || job.details.referenceImageKey === null) return false;
    if (job.lease?.owner !== owner || job.leaseEpoch !== epoch) return false;
    const key = job.details.referenceImageKey;
    if (session.all('imageReview').some((image) => image.objectKey === key && image.state === 'APPROVED'))
      return false;
    session.write('stagingJob', jobId, { ...job, details: { ...job.details, referenceImageKey: null } });
    session.commit();
    await hop('drop lost reference: answer');
    return true;
  } finally {
    session.rollback();
  }
}
