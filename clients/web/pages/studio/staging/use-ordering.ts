import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { kept } from '../../../site/keeper.ts';
import { useSite } from '../../../site/use-site.ts';
import { myListing, openJobs, quota } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { type StagingOrder, type Submission, sendOrder, submitStaging } from './submit-staging.ts';
import { unsentOrder } from './unsent-order.ts';

interface OrderingOptions {
  readonly personId: string;
  readonly propertyId: string;
  /** Called with the photos that were ordered. */
  readonly onOrdered: (imageIds: readonly string[]) => void;
}

/** Orders, one after the other, and continues what a page before has left. */
export function useOrdering({ personId, propertyId, onOrdered }: OrderingOptions) {
  const { api, notices } = useSite();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const refresh = (): void => {
    for (const { queryKey } of [openJobs(api, propertyId), myListing(api, propertyId), quota(api)])
      void queries.invalidateQueries({ queryKey });
  };
  const taken = (results: readonly Submission[]): void => {
    const isNew = results.some(({ disposition }) => disposition === 'ENQUEUED');
    notices.say(isNew ? 'job.disposition.ENQUEUED' : 'job.disposition.style_exists');
    onOrdered(results.map(({ originalImageId }) => originalImageId));
    refresh();
  };
  const sending = { storage: kept, onSubmitted: taken };
  const goOn = useEffectEvent(() => {
    const left = unsentOrder(kept, { personId, propertyId }, Date.now());
    if (left !== null) void act(() => sendOrder(api, left, sending));
  });
  useEffect(goOn, []);
  const order = async (
    given: Pick<StagingOrder, 'photos' | 'style' | 'brief' | 'groupId'>,
  ): Promise<void> => {
    const orderedAt = Date.now();
    await act(() => submitStaging(api, { personId, propertyId, orderedAt, ...given }, sending));
    refresh();
  };
  return { isBusy, act, order };
}
