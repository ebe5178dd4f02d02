import type { PhotoAlteration, PhotoAlterationResult } from '../../persistence/actors/alter-photo.ts';
import type { ActorSystem } from './deliver.ts';

/**
 * Declares a photo altered, or takes that back. A declaration cancels the open jobs of the photo and withdraws its
 * approved staged pictures; taking it back shows nothing again by itself. It is one transaction, so a crash leaves
 * everything or nothing. Locks are taken in the order job, attempt, staged image, listing, original. A submission that
 * was under way before the photo was locked has a job by then, so jobs are looked up again. Source:
 * docs/contract.md#altered-photos.
 */
export function alterPhoto(
  actorSystem: Pick<ActorSystem, 'transaction'>,
  alteration: PhotoAlteration,
): Promise<PhotoAlterationResult> {
  const { imageId, kind, at, by } = alteration;
  const origin = { by };
  return actorSystem.transaction(async ({ tx, deliver }) => {
    if (kind !== null) await tx.lockJobsOfOriginal(imageId);
    const variants = kind === null ? [] : await tx.lockVariantsOfOriginal(imageId);
    const result = await tx.alterPhoto(alteration);
    if (result !== 'changed' || kind === null) return result;
    for (const { job } of await tx.lockJobsOfOriginal(imageId))
      await deliver({ to: 'stagingJob', id: job.id, event: { type: 'CANCEL_ASKED', at } }, origin);
    for (const { id } of variants) {
      const byUserId = alteration.agentId === null ? null : { byUserId: alteration.agentId };
      await deliver(
        { to: 'imageReview', id, event: { type: 'WITHDRAW', at, by: 'AGENT', ...byUserId } },
        origin,
      );
    }
    return result;
  });
}
