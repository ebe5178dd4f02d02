import { useQuery } from '@tanstack/react-query';
import { useSite, useText } from '../../../site/use-site.ts';
import { quota } from '../studio-queries.ts';

const MICRO = 1_000_000;
/** A picture that failed is bought once more at most. */
const MOST_TRIES = 2;

/** What the order may cost, where prices are set, and how many more may be ordered: the limit that is nearest. */
export default function OrderCost({ count }: { readonly count: number }) {
  const { api } = useSite();
  const { t, money } = useText();
  const { data: use } = useQuery(quota(api));
  if (use === undefined) return null;
  const price = use.costMicrousd;
  const [nearest] = (
    [
      ['hour', use.hour],
      ['day', use.day],
      ['platform', use.platformDay],
      ['open', use.openJobs],
    ] as const
  )
    .flatMap(([kind, { used, limit }]) => (limit === null ? [] : [{ kind, left: Math.max(0, limit - used) }]))
    .toSorted((one, other) => one.left - other.left);
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
      {nearest === undefined ? null : (
        <p className={nearest.left < count ? 'studio-off' : 'muted'}>
          {t(`studio.staging.left.${nearest.kind}`, { count: nearest.left })}
        </p>
      )}
    </>
  );
}
