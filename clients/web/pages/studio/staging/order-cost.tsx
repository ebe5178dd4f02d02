import { useQuery } from '@tanstack/react-query';
import { useSite, useText } from '../../../site/use-site.ts';
import { quota } from '../studio-queries.ts';

const MICRO = 1_000_000;
/** A picture that failed is bought once more at most. */
const MOST_TRIES = 2;

/** What the order may cost, where prices are set, and how many more may be ordered. */
export default function OrderCost({ count }: { readonly count: number }) {
  const { api } = useSite();
  const { t, money } = useText();
  const { data: use } = useQuery(quota(api));
  if (use === undefined) return null;
  const left = [use.hour, use.day, use.platformDay, use.openJobs].flatMap(({ used, limit }) =>
    limit === null ? [] : [Math.max(0, limit - used)],
  );
  const few = Math.min(...left);
  const price = use.costMicrousd;
  return (
    <>
      {price === null ? null : (
        <p>
          {t('studio.staging.cost', {
            usual: money((count * price) / MICRO, 'USD'),
            most: money((count * MOST_TRIES * price) / MICRO, 'USD'),
          })}
        </p>
      )}
      {few < count ? <p className="studio-off">{t('studio.staging.quota', { count: few })}</p> : null}
    </>
  );
}
