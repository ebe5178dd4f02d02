import { getRouteApi, Link } from '@tanstack/react-router';
import { addressLine } from '../../../../i18n/address-line.ts';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { comparedHomes } from '../../api/queries.ts';
import { useLoaded } from '../../api/use-answer.ts';
import { CARD_SIZES } from '../../pictures/picture-files.ts';
import { ButtonLink } from '../../primitives/button.tsx';
import { Facade } from '../../primitives/facade.tsx';
import { EmptyState } from '../../primitives/parts.tsx';
import { Picture } from '../../primitives/picture.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { type ComparedHome, compareRows } from './compare-rows.ts';
import { comparedIds } from './compared-ids.ts';
import './compare.css';

const route = getRouteApi('/compare');

/** Two to four homes side by side, named in the address. What differs between them is marked. */
export function Component() {
  const { t } = useText();
  const query: AddressQuery = route.useSearch();
  const ids = comparedIds(query);
  return (
    <div className="page">
      <h1>{t('compare.title')}</h1>
      {ids.length < 2 ? (
        <EmptyState
          title={t('compare.noneTitle')}
          action={<ButtonLink to="/search">{t('search.title')}</ButtonLink>}
        >
          <p className="muted">{t('compare.noneText')}</p>
        </EmptyState>
      ) : (
        <Comparison ids={ids} />
      )}
    </div>
  );
}

function Comparison({ ids }: { readonly ids: readonly string[] }) {
  const { api } = useSite();
  const text = useText();
  const { t } = text;
  const homes = useLoaded(comparedHomes(api, ids));
  const known = homes.filter((home) => home !== null);
  const rows = compareRows(known, text);
  const isNotAlone = known.length > 1;
  return (
    <>
      <p className="muted">{t('compare.lead')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="compare-scroll" tabIndex={0} aria-label={t('compare.title')}>
        <table className="compare-table">
          <thead>
            <tr>
              <td className="compare-corner" />
              {homes.map((home, place) => (
                <HomeHead key={ids[place]} home={home} others={ids.filter((_, other) => other !== place)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, label, values, differs }) => (
              <tr key={key} className={differs && isNotAlone ? 'compare-differs' : ''}>
                <th scope="row">
                  {label}
                  {differs && isNotAlone ? (
                    <span className="compare-mark">{t('compare.differs')}</span>
                  ) : null}
                </th>
                {homes.map((home, place) => (
                  <td key={ids[place]} dir="auto">
                    {home === null ? '' : (values[known.indexOf(home)] ?? t('compare.unknown'))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** The head of a column: the home and the way to leave it out, both links. */
function HomeHead({
  home,
  others,
}: {
  readonly home: ComparedHome | null;
  readonly others: readonly string[];
}) {
  const { t } = useText();
  const remove = (name: string) => (
    <Link
      className="compare-remove"
      to="/compare"
      search={{ home: others }}
      aria-label={`${t('compare.remove')}: ${name}`}
    >
      {t('compare.remove')}
    </Link>
  );
  if (home === null)
    return (
      <th scope="col" className="compare-home">
        <p>{t('compare.gone')}</p>
        {remove(t('compare.gone'))}
      </th>
    );
  const { propertyId, images, coverImageId } = home;
  const cover = images.find(({ imageId }) => imageId === coverImageId) ?? images[0];
  const address = addressLine(home);
  return (
    <th scope="col" className="compare-home">
      <div className="compare-picture">
        {cover === undefined ? (
          <Facade />
        ) : (
          <>
            <Picture imageId={cover.imageId} alt="" ratio={4 / 3} sizes={CARD_SIZES} />
            {cover.disclosureLabel === null ? null : (
              <span className="picture-label">{cover.disclosureLabel}</span>
            )}
          </>
        )}
      </div>
      <Link to="/properties/$propertyId" params={{ propertyId }}>
        {address}
      </Link>
      {remove(address)}
    </th>
  );
}
