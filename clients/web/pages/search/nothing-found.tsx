import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { featureCounts } from '../../api/queries.ts';
import { picturesOf } from '../../pictures/picture-choice.ts';
import { ButtonLink } from '../../primitives/button.tsx';
import { EmptyState } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { type Chip, chipsOf, chipText } from './chips.ts';
import { type SearchState, searchInput, writeState } from './search-state.ts';

/** So many filters are tried: each asks for a count. */
const MOST_TRIED = 3;

/** No home matches: what to take off, and how many homes that would give. */
export default function NothingFound({
  state,
  placeId,
}: {
  readonly state: SearchState;
  readonly placeId: string | null;
}) {
  const { t } = useText();
  const { q, place, ...others } = state;
  const tried = chipsOf(others)
    .slice(0, MOST_TRIED)
    .map((chip) => ({ ...chip, without: { ...chip.without, ...(q && { q }), ...(place && { place }) } }));
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
        {tried.map((chip) => (
          <Offer key={`${chip.key} ${chip.values.value ?? ''}`} chip={chip} placeId={placeId} />
        ))}
      </ul>
    </EmptyState>
  );
}

/** A filter that is worth taking off: there are homes without it. */
function Offer({ chip, placeId }: { readonly chip: Chip; readonly placeId: string | null }) {
  const { api, settings } = useSite();
  const words = useText();
  const { data } = useQuery(featureCounts(api, { filters: searchInput(chip.without, placeId).filters }));
  const count = data?.total ?? 0;
  if (count === 0) return null;
  return (
    <li>
      <Link className="search-offer" to="/search" search={writeState(chip.without)} resetScroll={false}>
        {words.t('search.without', { filter: chipText(chip, words, settings.site.currency), count })}
      </Link>
    </li>
  );
}
