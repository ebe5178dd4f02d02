import { Link } from '@tanstack/react-router';
import { addressLine, streetLine } from '../../../i18n/address-line.ts';
import type { Outputs } from '../../typescript/procedures.ts';
import { type PictureChoice, picturesOf } from '../pictures/picture-choice.ts';
import { CARD_SIZES } from '../pictures/picture-files.ts';
import { useText } from '../site/use-site.ts';
import { HeartButton } from './heart-button.tsx';
import { StatusBadge } from './parts.tsx';
import { Picture } from './picture.tsx';
import { listingTone } from './status-tones.ts';
import './property-card.css';

export type Card = Outputs['search']['list']['items'][number];

interface PropertyCardProps {
  readonly card: Card;
  readonly isFirst?: boolean;
  /** The choice that the home's page is opened with. */
  readonly pictures?: PictureChoice | undefined;
}

/** A home in a list: picture, price, figures, address. The whole card leads to its page; the heart does not. */
export function PropertyCard({ card, isFirst = false, pictures }: PropertyCardProps) {
  const { t, money } = useText();
  const { propertyId, coverImageId, images, standardStatus, hiddenStagedCount } = card;
  const cover = images.find(({ imageId }) => imageId === coverImageId);
  return (
    <article className="property-card">
      <div className="property-card-picture">
        {cover === undefined ? (
          <span className="property-card-none">{t('card.noPicture')}</span>
        ) : (
          <Picture imageId={cover.imageId} alt="" ratio={4 / 3} sizes={CARD_SIZES} isFirst={isFirst} />
        )}
        <HeartButton propertyId={propertyId} address={streetLine(card)} />
      </div>
      <div className="property-card-line">
        <p className="property-card-price">{money(card.listPrice, card.currency)}</p>
        <StatusBadge tone={listingTone(standardStatus)}>{t(`listing.status.${standardStatus}`)}</StatusBadge>
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
    </article>
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
