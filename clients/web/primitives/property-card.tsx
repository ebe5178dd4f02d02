import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { addressLine, streetLine } from '../../../i18n/address-line.ts';
import { pathIn } from '../../../i18n/languages.ts';
import type { Outputs } from '../../typescript/procedures.ts';
import { writeQuery } from '../addresses/address-query.ts';
import { type PictureChoice, picturesOf } from '../pictures/picture-choice.ts';
import { useHomeMarks } from '../session/use-home-marks.ts';
import { useSite, useText } from '../site/use-site.ts';
import { CardMenu } from './card-menu.tsx';
import { CardNews } from './card-news.tsx';
import { CardPhotos } from './card-photos.tsx';
import { Facade } from './facade.tsx';
import { HeartButton } from './heart-button.tsx';
import './property-card.css';

export type Card = Outputs['search']['list']['items'][number];

interface PropertyCardProps {
  readonly card: Card;
  readonly isFirst?: boolean;
  /** The choice that the home's page is opened with. */
  readonly pictures?: PictureChoice | undefined;
}

/**
 * A home in a list: pictures, price, figures, address. The whole card leads to its page; its buttons do not. The keyboard
 * stops at most four times: next photo, heart, menu, page.
 */
export function PropertyCard({ card, isFirst = false, pictures }: PropertyCardProps) {
  const { t, money } = useText();
  const { propertyId, hiddenStagedCount, closePrice, currency } = card;
  const isSeen = useHomeMarks(({ seen }) => seen.includes(propertyId));
  const isCompared = useHomeMarks(({ compared }) => compared.includes(propertyId));
  const address = streetLine(card);
  return (
    <article className={isSeen ? 'property-card property-card-seen' : 'property-card'}>
      <div className="property-card-picture">
        <CardPictures card={card} address={address} isFirst={isFirst} pictures={pictures} />
        <CardNews card={card} />
        <HeartButton propertyId={propertyId} address={address} />
      </div>
      <div className="property-card-line">
        <p className="property-card-price">{money(closePrice ?? card.listPrice, currency)}</p>
        {isCompared ? <span className="property-card-mark">{t('compare.marked')}</span> : null}
        {isSeen ? <span className="property-card-mark">{t('card.seen')}</span> : null}
        <CardMenu propertyId={propertyId} address={address} />
      </div>
      <p>
        <KeyFigures card={card} />
      </p>
      {hiddenStagedCount === 0 ? null : (
        <p className="muted">{t('pictures.hidden', { count: hiddenStagedCount })}</p>
      )}
      <Link
        className="property-card-link"
        to="/properties/$propertyId"
        params={{ propertyId }}
        search={picturesOf(pictures)}
      >
        {addressLine(card)}
      </Link>
      {card.listedBy ? <p className="muted">{t('card.listedBy', { firm: card.listedBy })}</p> : null}
    </article>
  );
}

interface CardPicturesProps {
  readonly card: Card;
  readonly address: string;
  readonly isFirst: boolean;
  readonly pictures: PictureChoice | undefined;
}

/** The pictures, or a drawing where there are none. A press on one follows the card's link. */
function CardPictures({ card, address, isFirst, pictures }: CardPicturesProps) {
  const { settings } = useSite();
  const { locale } = useText();
  const { propertyId, images } = card;
  if (images.length === 0) return <Facade />;
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.currentTarget.closest('.property-card')?.querySelector<HTMLElement>('.property-card-link')?.click();
  };
  return (
    <CardPhotos
      propertyId={propertyId}
      address={address}
      images={images}
      isFirst={isFirst}
      href={pathIn(settings.site, `/properties/${propertyId}`, locale) + writeQuery(picturesOf(pictures))}
      onFollow={follow}
    />
  );
}

type Figures = Pick<Card, 'bedroomsTotal' | 'bathroomsTotal' | 'livingArea' | 'livingAreaUnits'>;

/** Bedrooms, bathrooms and living area, as far as they are known. */
export function KeyFigures({ card }: { readonly card: Figures }) {
  const { t, area } = useText();
  const { bedroomsTotal, bathroomsTotal, livingArea, livingAreaUnits } = card;
  return [
    bedroomsTotal === null ? null : t('card.beds', { count: bedroomsTotal }),
    bathroomsTotal === null ? null : t('card.baths', { count: bathroomsTotal }),
    livingArea === null ? null : area(livingArea, livingAreaUnits),
  ]
    .filter((figure) => figure !== null)
    .join(' · ');
}
