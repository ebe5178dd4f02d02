import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureOf } from '../../../app/failures.ts';
import { useSite } from '../../../app/use-site.ts';
import { problemKey } from '../problems.ts';
import { myListing, variants } from '../studio-queries.ts';

const NOT_FOUND = 404;

/**
 * Approves pictures. Those on their way are out of the queue, whatever a list says that was asked for before; they come
 * back when the approval has failed.
 */
export function useApprovals(propertyId: string) {
  const { api, notices } = useSite();
  const queries = useQueryClient();
  const { queryKey } = variants(api, propertyId);
  const [open, setOpen] = useState<readonly string[]>([]);
  const approve = async (imageIds: readonly string[]): Promise<void> => {
    setOpen((ids) => [...ids, ...imageIds]);
    try {
      const { results } = await api.ai.approveStagedVariants({ imageIds: [...imageIds] });
      if (results.some(({ errorCode }) => errorCode !== null)) notices.say('studio.review.decidedByOther');
      queries.setQueryData(queryKey, (all) =>
        all?.map((one) =>
          imageIds.includes(one.imageId) ? { ...one, reviewStatus: 'APPROVED' as const } : one,
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
  return { open, approve: (imageIds: readonly string[]) => void approve(imageIds) };
}
