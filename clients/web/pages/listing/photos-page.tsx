import { getRouteApi, Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { wholeAddress } from '../../../../i18n/address-line.ts';
import { propertyDetail } from '../../api/queries.ts';
import { useLoaded } from '../../api/use-answer.ts';
import { pictureChoiceIn, picturesOf } from '../../pictures/picture-choice.ts';
import { pictureUrl } from '../../pictures/picture-files.ts';
import { EmptyState, Section } from '../../primitives/parts.tsx';
import { Picture } from '../../primitives/picture.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { ChoosePictures } from './gallery/choose-pictures.tsx';
import { LargeView, useLargeView } from './gallery/large-view.tsx';
import { StagedLabel } from './gallery/staged-label.tsx';
import { type DetailImage, ratioOf } from './listing-data.ts';
import { photoGroups } from './photo-groups.ts';
import './photos.css';

const route = getRouteApi('/properties/$propertyId/photos');

const SIZES = '(min-width: 48rem) 36rem, 66vw';

/** Every picture of a home by what it shows. A picture leads to its file; with JavaScript, to the large view. */
export function Component() {
  const { api } = useSite();
  const { t } = useText();
  const { propertyId } = route.useParams();
  const chosen = pictureChoiceIn(route.useSearch());
  const home = useLoaded(propertyDetail(api, { propertyId, ...picturesOf(chosen) }));
  const view = useLargeView();
  const groups = photoGroups(home.images);
  const pictures = groups.flatMap((group) => group.pictures);
  return (
    <article className="page photos">
      <header className="photos-head">
        <Link to="/properties/$propertyId" params={{ propertyId }} search={picturesOf(chosen)}>
          {t('photos.back')}
        </Link>
        <h1>{wholeAddress({ ...home, country: home.facts.country })}</h1>
        <div className="gallery-head">
          <p className="muted">{t('photos.count', { count: pictures.length })}</p>
          <ChoosePictures home={home} chosen={chosen} />
        </div>
      </header>
      {pictures.length === 0 ? <EmptyState title={t('card.noPicture')} /> : null}
      {groups.map((group) => (
        <Section
          key={group.imageOf}
          title={group.subject ?? t(groups.length === 1 ? 'pictures.any' : 'photos.other')}
        >
          <ul className="photos-grid">
            {group.pictures.map((image) => (
              <PhotoItem
                key={image.imageId}
                image={image}
                index={pictures.indexOf(image)}
                count={pictures.length}
                onClick={view.open(image.imageId)}
              />
            ))}
          </ul>
        </Section>
      ))}
      <LargeView view={view} pictures={pictures} />
    </article>
  );
}

interface PhotoItemProps {
  readonly image: DetailImage;
  readonly index: number;
  readonly count: number;
  readonly onClick: (event: MouseEvent) => void;
}

function PhotoItem({ image, index, count, onClick }: PhotoItemProps) {
  const { t } = useText();
  return (
    <li id={`picture-${image.imageId}`} className="photos-item">
      <a
        className="photos-link"
        href={pictureUrl(image.imageId, 2048)}
        aria-label={t('gallery.open', {
          number: index + 1,
          count,
          what: image.altText,
        })}
        onClick={onClick}
      >
        <Picture imageId={image.imageId} alt="" ratio={ratioOf(image)} sizes={SIZES} isFirst={index === 0} />
      </a>
      <StagedLabel image={image} />
    </li>
  );
}
