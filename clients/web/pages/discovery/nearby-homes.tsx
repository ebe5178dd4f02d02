import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nearby } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { Section } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { ROW } from './discovery-data.ts';
import { HomesRow } from './homes-row.tsx';

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Asks for the position only when the visitor wants it. */
export function NearbyHomes() {
  const { api, notices } = useSite();
  const { t } = useText();
  const [position, setPosition] = useState<Position | null>(null);
  const { data, isError, refetch } = useQuery({
    ...nearby(api, { latitude: 0, longitude: 0, ...position, limit: ROW }),
    enabled: position !== null,
  });
  const ask = (): void =>
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => setPosition({ latitude, longitude }),
      () => notices.say('discovery.noPosition'),
    );
  const title = t('discovery.nearby');
  if (position === null || data?.items.length === 0)
    return (
      <Section title={title}>
        {position === null ? (
          <div>
            <Button onPress={ask}>{t('discovery.usePosition')}</Button>
          </div>
        ) : (
          <p>{t('discovery.nothingNearby')}</p>
        )}
      </Section>
    );
  return <HomesRow title={title} cards={data?.items} retry={isError ? () => void refetch() : null} />;
}
