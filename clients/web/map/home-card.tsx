import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { addressLine } from '../../../i18n/address-line.ts';
import type { Outputs } from '../../typescript/procedures.ts';
import { propertyDetail, type SiteFilters, searchPages } from '../api/queries.ts';
import { type PictureChoice, picturesOf } from '../pictures/picture-choice.ts';
import { Button } from '../primitives/button.tsx';
import { Facade } from '../primitives/facade.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Picture } from '../primitives/picture.tsx';
import { KeyFigures } from '../primitives/property-card.tsx';
import { useSite, useText } from '../site/use-site.ts';
import type { Box } from './map-area.ts';
import './home-card.css';

type Home = Outputs['search']['list']['items'][number] | Outputs['properties']['getDetail'];

interface CardProps {
  /** The choice that the home's page is opened with. */
  readonly pictures: PictureChoice | undefined;
  readonly onClose: () => void;
}

/** The home of a mark, in short. */
export function HomeCard({ propertyId, ...props }: CardProps & { readonly propertyId: string }) {
  const { api } = useSite();
  const { data, isError } = useQuery(propertyDetail(api, { propertyId, ...picturesOf(props.pictures) }));
  return (
    <Frame {...props} isFailed={isError} name={data === undefined ? null : addressLine(data)}>
      {data === undefined ? null : <HomeInShort home={data} pictures={props.pictures} />}
    </Frame>
  );
}

/** More homes in one place than this are found with a filter. */
const MOST_HOMES = 50;

/** The homes of a mark that no zoom takes apart: those of one house. */
export function HomesCard({
  filters,
  box: [west, south, east, north],
  ...props
}: CardProps & { readonly filters: SiteFilters; readonly box: Box }) {
  const { api } = useSite();
  const { t } = useText();
  const question = {
    filters: {
      ...filters,
      ...picturesOf(props.pictures),
      location: { box: { west, south, east, north } },
    },
    sort: 'PRICE_ASC' as const,
    limit: MOST_HOMES,
  };
  const { data, isError } = useInfiniteQuery(searchPages(api, question, null));
  const page = data?.pages[0];
  const name = page === undefined ? null : t('map.homesHere', { count: page.total });
  return (
    <Frame {...props} isFailed={isError} name={name}>
      {page === undefined ? null : (
        <>
          <p className="home-card-count">{name}</p>
          <ul className="home-card-homes">
            {page.items.map((home) => (
              <li key={home.propertyId}>
                <HomeInShort home={home} pictures={props.pictures} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Frame>
  );
}

interface FrameProps extends CardProps {
  /** Null while the card has no content yet. */
  readonly name: string | null;
  readonly isFailed: boolean;
  readonly children: ReactNode;
}

/** Takes the focus, so that what was opened is read and comes next by keyboard. Escape closes it. */
function Frame({ name, isFailed, onClose, children }: FrameProps) {
  const { t } = useText();
  const frame = useRef<HTMLElement>(null);
  useEffect(() => frame.current?.focus(), []);
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [onClose]);
  const state = t(isFailed ? 'map.failed' : 'common.loading');
  return (
    <section ref={frame} className="home-card" tabIndex={-1} aria-label={name ?? state}>
      <div className="home-card-content">{name === null ? <p role="status">{state}</p> : children}</div>
      <Button kind="icon" aria-label={t('common.close')} onPress={onClose}>
        <Icon name="close" />
      </Button>
    </section>
  );
}

function HomeInShort({
  home,
  pictures,
}: {
  readonly home: Home;
  readonly pictures: PictureChoice | undefined;
}) {
  const { t, money, dateTime } = useText();
  const { propertyId, images, coverImageId, openHouse } = home;
  const cover = images.find(({ imageId }) => imageId === coverImageId) ?? images[0];
  return (
    <article className="home-in-short">
      <div className="home-in-short-picture">
        {cover === undefined ? (
          <Facade />
        ) : (
          <Picture imageId={cover.imageId} alt="" ratio={4 / 3} sizes="7rem" />
        )}
        {cover?.disclosureLabel ? <span className="picture-label">{cover.disclosureLabel}</span> : null}
      </div>
      <div>
        <p className="property-card-price">{money(home.listPrice, home.currency)}</p>
        <p>
          <KeyFigures card={home} />
        </p>
        <p className="muted">{t(`listing.status.${home.standardStatus}`)}</p>
        {openHouse === null ? null : (
          <p>{t('card.openHouse', { when: dateTime(openHouse.startsAt, openHouse.timeZone) })}</p>
        )}
        <Link to="/properties/$propertyId" params={{ propertyId }} search={picturesOf(pictures)}>
          {addressLine(home)}
        </Link>
        {home.listedBy ? <p className="muted">{t('card.listedBy', { firm: home.listedBy })}</p> : null}
      </div>
    </article>
  );
}
