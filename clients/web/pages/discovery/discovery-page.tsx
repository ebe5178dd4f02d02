import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { featured } from '../../app/queries.ts';
import { useSite, useText } from '../../app/use-site.ts';
import { FEATURED } from './discovery-data.ts';

/** The first page: featured homes. */
export function Component() {
  const { api } = useSite();
  const { t } = useText();
  const { data } = useSuspenseQuery(featured(api, FEATURED));
  return (
    <>
      <h1>{t('tabs.discovery')}</h1>
      <ul>
        {data.items.map(({ propertyId, address }) => (
          <li key={propertyId}>
            <Link to="/properties/$propertyId" params={{ propertyId }}>
              {address}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
