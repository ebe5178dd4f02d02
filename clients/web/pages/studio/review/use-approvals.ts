import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureOf, problemKey } from '../../../api/failures.ts';
import { useSite } from '../../../site/use-site.ts';
import { myListing, variants } from '../studio-queries.ts';

const NOT_FOUND = 404;
/** What is said when several were sent, the most important first. */
const REFUSALS = [
  ['ROOM_DIFFERS', 'staging.roomDiffers'],
  ['SECOND_PERSON_REQUIRED', 'staging.secondPersonRequired'],
  ['GEOMETRY_MOVED', 'studio.review.movedAlone'],
  ['NOT_COMPARED', 'studio.review.notComparedAlone'],
] as const;

/**
 * Approves pictures. Those on their way are out of the queue, whatever a list says that was asked for before; they come
 * back when the approval has failed.
 */
export function useApprovals(propertyId: string) {
  const { api, notices } = useSite();
  const queries = useQueryClient();
  const { queryKey } = variants(api, propertyId);
  const [open, setOpen] = useState<readonly string[]>([]);
  /** @returns the pictures that are not approved, with the codes that say why */
  const send = async (
    imageIds: readonly string[],
    areSeveral: boolean,
  ): Promise<ReadonlyMap<string, string>> => {
    const [imageId] = imageIds;
    if (!areSeveral && imageId !== undefined) {
      await api.ai.approveStagedVariant({ imageId });
      return new Map();
    }
    const { results } = await api.ai.approveStagedVariants({ imageIds: [...imageIds] });
    return new Map(
      results.flatMap(({ imageId, errorCode }) => (errorCode === null ? [] : [[imageId, errorCode]])),
    );
  };
  const approve = async (imageIds: readonly string[], areSeveral: boolean): Promise<void> => {
    setOpen((ids) => [...ids, ...imageIds]);
    try {
      const refused = await send(imageIds, areSeveral);
      if (refused.size > 0) {
        const codes = [...refused.values()];
        const known = REFUSALS.find(([code]) => codes.includes(code));
        notices.say(known?.[1] ?? 'studio.review.decidedByOther');
      }
      queries.setQueryData(queryKey, (all) =>
        all?.map((one) =>
          imageIds.includes(one.imageId) && !refused.has(one.imageId)
            ? { ...one, reviewStatus: 'APPROVED' as const }
            : one,
        ),
      );
    } catch (error) {
      notices.say(
        failureOf(error).httpStatus === NOT_FOUND ? 'studio.review.decidedByOther' : problemKey(error),
      );
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey }),
      queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey }),
    ]);
    setOpen((ids) => ids.filter((id) => !imageIds.includes(id)));
  };
  return {
    open,
    /** One picture that the agent has looked at by itself. */
    approve: (imageId: string) => void approve([imageId], false),
    approveSeveral: (imageIds: readonly string[]) => void approve(imageIds, true),
  };
}
