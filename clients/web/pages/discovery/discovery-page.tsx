import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pathIn } from '../../../../i18n/languages.ts';
import { featured, nearby } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { useShownHomes } from '../../primitives/hidden-homes.tsx';
import { EmptyState, Section } from '../../primitives/parts.tsx';
import { type Card, PropertyCard } from '../../primitives/property-card.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { FEATURED, NEARBY_LIMIT } from './discovery-data.ts';
import './discovery.css';

/** Set when the site is built (`ops/dev/site/vite-builds.ts`). */
declare const DEVELOPMENT: boolean;

/** Only developers see it. */
const TEST_EVENT = 'Send a test event';

/** The first page: a way into the search, featured homes, and homes near the visitor who asks for them. */
export function Component() {
  const { api, settings } = useSite();
  const { t, locale } = useText();
  const { data } = useSuspenseQuery(featured(api, FEATURED));
  return (
    <div className="page">
      <section className="discovery-hero">
        <h1>{t('discovery.title')}</h1>
        <p className="muted">{t('discovery.lead')}</p>
        <search>
          <form className="discovery-search" action={pathIn(settings.site, '/search', locale)} method="get">
            <label className="visually-hidden" htmlFor="discovery-place">
              {t('search.place')}
            </label>
            <input
              id="discovery-place"
              className="input"
              type="search"
              name="q"
              placeholder={t('search.placeHint')}
              maxLength={200}
            />
            <Button kind="primary" type="submit">
              {t('search.go')}
            </Button>
          </form>
        </search>
      </section>
      {data.items.length === 0 ? (
        <EmptyState title={t('discovery.emptyTitle')}>
          <p className="muted">{t('discovery.emptyText')}</p>
        </EmptyState>
      ) : (
        <>
          <Section title={t('discovery.featured')}>
            <Carousel cards={data.items} label={t('discovery.featured')} isFirst />
          </Section>
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

/** Cards side by side, scrolled by hand, wheel or keyboard. */
function Carousel({
  cards,
  label,
  isFirst = false,
}: {
  readonly cards: readonly Card[];
  readonly label: string;
  readonly isFirst?: boolean;
}) {
  const { shown } = useShownHomes(cards);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ul className="discovery-carousel" aria-label={label} tabIndex={0}>
      {shown.map((card, index) => (
        <li key={card.propertyId}>
          <PropertyCard card={card} isFirst={isFirst && index === 0} />
        </li>
      ))}
    </ul>
  );
}

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Asks for the position only when the visitor wants it. */
function NearbyHomes() {
  const { api, notices } = useSite();
  const { t } = useText();
  const [position, setPosition] = useState<Position | null>(null);
  const { data } = useQuery({
    ...nearby(api, { latitude: 0, longitude: 0, ...position, limit: NEARBY_LIMIT }),
    enabled: position !== null,
  });
  const ask = (): void =>
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => setPosition({ latitude, longitude }),
      () => notices.say('discovery.noPosition'),
    );
  return (
    <Section title={t('discovery.nearby')}>
      {position === null ? (
        <div>
          <Button onPress={ask}>{t('discovery.usePosition')}</Button>
        </div>
      ) : data?.items.length === 0 ? (
        <p>{t('discovery.nothingNearby')}</p>
      ) : (
        <Carousel cards={data?.items ?? []} label={t('discovery.nearby')} />
      )}
    </Section>
  );
}
