import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { featureCounts } from '../../api/queries.ts';
import { picturesOf } from '../../pictures/picture-choice.ts';
import { ButtonLink } from '../../primitives/button.tsx';
import { EmptyState } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { chipsOf, chipText } from './chips.ts';
import { type SearchState, searchInput, writeState } from './search-state.ts';

/** So many filters are tried: each asks for a count. */
const MOST_TRIED = 3;

/** No home matches: what to take off, and how many homes that would give. */
export function NothingFound({
  state,
  placeId,
}: {
  readonly state: SearchState;
  readonly placeId: string | null;
}) {
  const { api, settings } = useSite();
  const words = useText();
  const { t } = words;
  const { q, place, ...others } = state;
  const tried = chipsOf(others)
    .slice(0, MOST_TRIED)
    .map((chip) => ({ ...chip, without: { ...chip.without, ...(q && { q }), ...(place && { place }) } }));
  const counts = useQueries({
    queries: tried.map(({ without }) =>
      featureCounts(api, { filters: searchInput(without, placeId).filters }),
    ),
    combine: (answers) => answers.map(({ data }) => data?.total ?? 0),
  });
  const offers = tried
    .map((chip, index) => ({ chip, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  return (
    <EmptyState
      title={t('search.nothing')}
      action={
        <ButtonLink to="/search" search={picturesOf(state.pictures)}>
          {t('search.clear')}
        </ButtonLink>
      }
    >
      <p>{t('search.nothingText')}</p>
      <ul className="stack">
        {offers.map(({ chip, count }) => (
          <li key={`${chip.key} ${chip.values.value ?? ''}`}>
            <Link className="search-offer" to="/search" search={writeState(chip.without)} resetScroll={false}>
              {t('search.without', { filter: chipText(chip, words, settings.site.currency), count })}
            </Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}
