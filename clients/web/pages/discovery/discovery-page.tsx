import { featured } from '../../api/queries.ts';
import { useLoaded } from '../../api/use-answer.ts';
import { Button } from '../../primitives/button.tsx';
import { EmptyState } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { PlaceSearch } from '../search/place-search.tsx';
import { FEATURED } from './discovery-data.ts';
import { Homes } from './homes.tsx';
import { NearbyHomes } from './nearby-homes.tsx';
import './discovery.css';

/** Set when the site is built (`ops/dev/site/vite-builds.ts`). */
declare const DEVELOPMENT: boolean;

/** Only developers see it. */
const TEST_EVENT = 'Send a test event';

/** The first page: a way into the search, what is new, and homes near the visitor who asks for them. */
export function Component() {
  const { api, settings } = useSite();
  const { t, locale } = useText();
  const best = useLoaded(featured(api, FEATURED));
  return (
    <div className="page">
      <section className="discovery-hero">
        <h1>{settings.site.tagline[locale]}</h1>
        <p className="muted">{t('discovery.lead')}</p>
        <PlaceSearch id="discovery-place" />
      </section>
      {best.items.length === 0 ? (
        <EmptyState title={t('discovery.emptyTitle')}>
          <p className="muted">{t('discovery.emptyText')}</p>
        </EmptyState>
      ) : (
        <>
          <Homes />
          <NearbyHomes />
        </>
      )}
      {DEVELOPMENT && (
        <Button
          onPress={() =>
            setTimeout(() => {
              throw new Error('Test event of the site');
            })
          }
        >
          {TEST_EVENT}
        </Button>
      )}
    </div>
  );
}
