import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addressLine } from '../../../../i18n/address-line.ts';
import { propertyDetail } from '../../api/queries.ts';
import { type PictureChoice, picturesOf } from '../../pictures/picture-choice.ts';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { Picture } from '../../primitives/picture.tsx';
import { KeyFigures } from '../../primitives/property-card.tsx';
import { useSite, useText } from '../../site/use-site.ts';

interface MapPreviewProps {
  readonly propertyId: string;
  /** The choice that the home's page is opened with. */
  readonly pictures: PictureChoice | undefined;
  readonly onClose: () => void;
}

/** The home of a pill, in short. */
export function MapPreview({ propertyId, pictures, onClose }: MapPreviewProps) {
  const { api } = useSite();
  const { t, money } = useText();
  const { data: home, isError } = useQuery(propertyDetail(api, { propertyId, ...picturesOf(pictures) }));
  const cover = home?.images[0];
  return (
    <div className="map-preview" role="status">
      {cover === undefined ? <span /> : <Picture imageId={cover.imageId} alt="" ratio={4 / 3} sizes="7rem" />}
      {home === undefined ? (
        <p>{t(isError ? 'map.failed' : 'common.loading')}</p>
      ) : (
        <div>
          <p className="property-card-price">{money(home.listPrice, home.currency)}</p>
          <p>
            <KeyFigures card={home} />
          </p>
          <Link to="/properties/$propertyId" params={{ propertyId }} search={picturesOf(pictures)}>
            {addressLine(home)}
          </Link>
        </div>
      )}
      <Button kind="icon" aria-label={t('common.close')} onPress={onClose}>
        <Icon name="close" />
      </Button>
    </div>
  );
}
