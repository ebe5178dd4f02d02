import { Link, type LinkProps } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { PictureChoice } from '../../../pictures/picture-choice.ts';
import { picturesOf } from '../../../pictures/picture-choice.ts';
import { GALLERY_SIZES } from '../../../pictures/picture-files.ts';
import { Facade } from '../../../primitives/facade.tsx';
import { Picture } from '../../../primitives/picture.tsx';
import { useText } from '../../../site/use-site.ts';
import { type Detail, type DetailImage, RATIO } from '../listing-data.ts';
import { ChoosePictures } from './choose-pictures.tsx';
import { LargeView, useLargeView } from './large-view.tsx';
import { StagedLabel } from './staged-label.tsx';
import './gallery.css';

/** How many pictures a wide window shows. */
const IN_SIGHT = 5;

interface GalleryProps {
  readonly home: Detail;
  readonly chosen: PictureChoice | undefined;
}

/**
 * The pictures of a home in the order of the answer: one large and four small ones, on a phone a strip of all. A picture
 * leads to its place on the page of all pictures; with JavaScript, to the large view.
 */
export function Gallery({ home, chosen }: GalleryProps) {
  const { t } = useText();
  const view = useLargeView();
  const { images, propertyId } = home;
  const all = {
    to: '/properties/$propertyId/photos',
    params: { propertyId },
    search: picturesOf(chosen),
  } as const;
  if (images.length === 0)
    return (
      <div className="gallery-none">
        <Facade />
      </div>
    );
  return (
    <div className="gallery-block">
      <ul
        className="gallery"
        data-count={Math.min(images.length, IN_SIGHT)}
        aria-label={t('gallery.pictures')}
      >
        {images.map((image, index) => (
          <GalleryItem
            key={image.imageId}
            image={image}
            link={all}
            index={index}
            count={images.length}
            onClick={view.open(image.imageId)}
          />
        ))}
      </ul>
      <div className="gallery-head">
        <Link {...all} className="button button-secondary gallery-all">
          {t('gallery.all', { count: images.length })}
        </Link>
        <ChoosePictures home={home} chosen={chosen} />
      </div>
      <LargeView view={view} pictures={images} />
    </div>
  );
}

interface GalleryItemProps {
  readonly image: DetailImage;
  /** To the page of all pictures. */
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>;
  readonly index: number;
  readonly count: number;
  readonly onClick: (event: MouseEvent) => void;
}

function GalleryItem({ image, link, index, count, onClick }: GalleryItemProps) {
  const { t } = useText();
  return (
    <li id={`picture-${image.imageId}`} className="gallery-item">
      <Link
        {...link}
        hash={`picture-${image.imageId}`}
        className="gallery-link"
        preload={false}
        // The others are reached through the page of all pictures.
        tabIndex={index < IN_SIGHT ? undefined : -1}
        aria-label={t('gallery.open', { number: index + 1, count, what: image.altText })}
        onClick={onClick}
      >
        <Picture
          imageId={image.imageId}
          alt=""
          ratio={RATIO}
          sizes={index === 0 ? GALLERY_SIZES : SMALL_SIZES}
          isFirst={index === 0}
        />
      </Link>
      <StagedLabel image={image} isPassed />
      <span className="gallery-number" aria-hidden="true">
        {t('gallery.number', { number: index + 1, count })}
      </span>
    </li>
  );
}

/** Four in half of the window, or one on a phone. */
const SMALL_SIZES = '(min-width: 48rem) 18rem, 60vw';
