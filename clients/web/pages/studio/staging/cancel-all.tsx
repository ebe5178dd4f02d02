import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../primitives/button.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { forAll } from '../for-all.ts';
import { openJobs } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import type { ListingWork } from './photo-states.ts';

const AT_ONCE = 4;

/** Cancels what can still be canceled of the listing's open jobs. */
export default function CancelAll({
  propertyId,
  jobs,
}: {
  readonly propertyId: string;
  readonly jobs: ListingWork['open'];
}) {
  const { api } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const cancelable = jobs.filter(({ status }) => status !== 'CANCEL_REQUESTED');
  if (cancelable.length === 0) return null;
  const cancel = () =>
    act(async () => {
      try {
        await forAll(cancelable, AT_ONCE, ({ aiJobId }) => api.ai.cancelStagingJob({ aiJobId }));
      } finally {
        await queries.invalidateQueries({ queryKey: openJobs(api, propertyId).queryKey });
      }
    });
  return (
    <Button kind="quiet" isDisabled={isBusy} onPress={() => void cancel()}>
      {t('studio.staging.cancelAll', { count: cancelable.length })}
    </Button>
  );
}
