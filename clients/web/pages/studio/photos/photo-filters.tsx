import { Link } from '@tanstack/react-router';
import { useText } from '../../../site/use-site.ts';
import { FILTERS, type PhotoFilter } from './photo-filter.ts';

interface PhotoFiltersProps {
  readonly propertyId: string;
  /** How many photos a filter shows. */
  readonly countOf: (filter: PhotoFilter) => number;
}

/** Which photos are shown, each choice with its count. */
export function PhotoFilters({ propertyId, countOf }: PhotoFiltersProps) {
  const { t, number } = useText();
  return (
    <nav className="photo-filters" aria-label={t('studio.photo.show')}>
      {FILTERS.map((filter) => (
        <Link
          key={filter}
          to="/studio/$propertyId"
          params={{ propertyId }}
          search={filter === 'all' ? {} : { show: filter }}
          replace
          resetScroll={false}
          className="pill photo-filter"
          activeOptions={{ exact: true }}
        >
          {t(`studio.photo.show.${filter}`)}{' '}
          <span className="photo-filter-count">{number(countOf(filter))}</span>
        </Link>
      ))}
    </nav>
  );
}
