import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { cardsOf, featured, largestPlaces } from '../../api/queries.ts';
import { useAnswer, useLoaded } from '../../api/use-answer.ts';
import { Section } from '../../primitives/parts.tsx';
import { usePerson } from '../../session/person.ts';
import { useHomeMarks } from '../../session/use-home-marks.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { writeState } from '../search/search-state.ts';
import { FEATURED, type NamedPlace, ROW, ROWS, type RowKind, searchOfRow } from './discovery-data.ts';
import { HomesRow } from './homes-row.tsx';
import { useLastPlace, useRow } from './use-row.ts';

/** The rows of homes, and the places that have homes. */
export function Homes() {
  const { api } = useSite();
  const { t } = useText();
  const here = useAnswer(largestPlaces(api))?.here ?? null;
  const last = useLastPlace();
  const rows = {
    new: useRow('new', here, last),
    cuts: useRow('cuts', here, last),
    open: useRow('open', here, last),
  };
  const above = new Set(
    ROWS.flatMap((kind) => rows[kind].data?.items ?? []).map(({ propertyId }) => propertyId),
  );
  const best = useLoaded(featured(api, FEATURED))
    .items.filter(({ propertyId }) => !above.has(propertyId))
    .slice(0, ROW);
  const first = ROWS.find((kind) => rows[kind].data?.items.length !== 0);
  return (
    <>
      {ROWS.map((kind) => (
        <FoundRow key={kind} kind={kind} row={rows[kind]} isFirst={kind === first} />
      ))}
      <HomesRow title={t('discovery.featured')} cards={best} isFirst={first === undefined} />
      <Places />
      <NewsOfSearches />
      <SeenHomes />
    </>
  );
}

interface FoundRowProps {
  readonly kind: RowKind;
  readonly row: ReturnType<typeof useRow>;
  readonly isFirst: boolean;
}

function FoundRow({ kind, row, isFirst }: FoundRowProps) {
  const { t } = useText();
  const { data, place, isError, refetch } = row;
  return (
    <HomesRow
      title={titleOf(t, kind, place)}
      all={data === undefined ? undefined : { search: searchOfRow(kind, place), total: data.total }}
      cards={data?.items}
      // The server says nothing of its failures: the browser asks again.
      retry={isError && typeof document !== 'undefined' ? () => void refetch() : null}
      isFirst={isFirst}
    />
  );
}

const TITLES = {
  new: { anywhere: 'discovery.new', inPlace: 'discovery.newIn' },
  cuts: { anywhere: 'discovery.cuts', inPlace: 'discovery.cutsIn' },
  open: { anywhere: 'discovery.open', inPlace: 'discovery.openIn' },
} as const;

const titleOf = (t: ReturnType<typeof useText>['t'], kind: RowKind, place: NamedPlace | null): string =>
  place === null ? t(TITLES[kind].anywhere) : t(TITLES[kind].inPlace, { place: place.label });

/** Where homes are, each with the search of it. */
function Places() {
  const { api } = useSite();
  const { t } = useText();
  const places = useAnswer(largestPlaces(api))?.places ?? [];
  if (places.length === 0) return null;
  return (
    <Section title={t('discovery.places')}>
      <ul className="discovery-places">
        {places.map(({ id, label, count }) => (
          <li key={id}>
            <Link to="/search" search={writeState({ q: label, place: id })}>
              <strong>{label}</strong>
              <span className="muted">{t('search.total', { count })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Of the person who is signed in: loaded with its words when that is known. Without it the page is whole all the same. */
function NewsOfSearches() {
  const { language } = useSite();
  const isPerson = usePerson() != null;
  const [News, setNews] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isPerson) return;
    Promise.all([import('./search-news.tsx'), language.addWords(['searches'])]).then(
      ([{ default: Loaded }]) => setNews(() => Loaded),
      () => undefined,
    );
  }, [isPerson, language]);
  return isPerson && News !== null ? <News /> : null;
}

/** The homes that were looked at last at this browser. They come after the document, so they are the last of the page. */
function SeenHomes() {
  const { api } = useSite();
  const { t } = useText();
  const seen = useHomeMarks((marks) => marks.seen);
  const ids = useMemo(() => seen.slice(0, ROW), [seen]);
  const { data, isError, refetch } = useQuery({
    ...cardsOf(api, ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  if (ids.length === 0) return null;
  return (
    <HomesRow title={t('discovery.seen')} cards={data?.items} retry={isError ? () => void refetch() : null} />
  );
}
