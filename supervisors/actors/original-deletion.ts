import type { ActorSystem } from './deliver.ts';

/**
 * Deletes an original photo. First its jobs and its staged images get their events; then the row is deleted, and its
 * images with it. Triggers queue every object for deletion and mark the listing for search. It is one transaction, so a
 * crash leaves everything or nothing. Locks are taken in the order job, attempt, staged image, original. The deletion
 * trigger handles a concurrent submission, and the actor system repeats a deadlock. Source: docs/contract.md#photos.
 */
export interface OriginalDeletion {
  imageId: string;
  at: number;
  /** Who asks: `user:<id>`. */
  by: string;
}

/** False when the row did not exist any more. The caller has checked that it is an original of the same agent. */
export function deleteOriginal(
  actorSystem: ActorSystem,
  { imageId, at, by }: OriginalDeletion,
): Promise<boolean> {
  return actorSystem.transaction(async ({ tx, deliver }) => {
    const origin = { by };
    for (const { job } of await tx.lockJobsOfOriginal(imageId))
      await deliver({ to: 'stagingJob', id: job.id, event: { type: 'ORIGINAL_DELETED', at } }, origin);
    for (const { id } of await tx.lockVariantsOfOriginal(imageId))
      await deliver({ to: 'imageReview', id, event: { type: 'ORIGINAL_DELETED', at } }, origin);
    return tx.deleteImage(imageId);
  });
}
