import { lazy, type MouseEvent, Suspense, useState } from 'react';
import { GALLERY_SIZES, pictureUrl } from '../../pictures/picture-files.ts';
import { Compare } from '../../primitives/compare.tsx';
import { Section } from '../../primitives/parts.tsx';
import { Picture } from '../../primitives/picture.tsx';
import { useText } from '../../site/use-site.ts';
import { type Detail, type DetailImage, type Room, roomsOf } from './listing-data.ts';
import { StagedLabel, useProvenancePage } from './staged-label.tsx';
import './gallery.css';

const Lightbox = lazy(() => import('./lightbox.tsx'));

/** Sizes of unknown pictures, and of the space in the strip. */
const RATIO = 4 / 3;

/**
 * The pictures of a home in a strip, in the order of the answer. Without JavaScript a picture leads to its file; with
 * it, to the large view.
 */
export function Gallery({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const [shown, setShown] = useState<number | null>(null);
  const pictures = home.images;
  const open = (index: number) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setShown(index);
  };
  if (pictures.length === 0) return <p className="gallery-none">{t('card.noPicture')}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul className="gallery" aria-label={t('gallery.pictures')} tabIndex={0}>
        {pictures.map((image, index) => (
          <li key={image.imageId} id={`picture-${image.imageId}`} className="gallery-item">
            <a
              className="gallery-link"
              href={pictureUrl(image.imageId, 2048)}
              aria-label={t('gallery.open', {
                number: index + 1,
                count: pictures.length,
                what: image.altText,
              })}
              onClick={open(index)}
            >
              <Picture
                imageId={image.imageId}
                alt=""
                ratio={RATIO}
                sizes={GALLERY_SIZES}
                isFirst={index === 0}
              />
            </a>
            <StagedLabel image={image} />
          </li>
        ))}
      </ul>
      {shown === null ? null : (
        <Suspense>
          <Lightbox pictures={pictures} first={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Each staged picture next to its photo. */
export function StagedRooms({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const rooms = roomsOf(home.images).filter(({ staged }) => staged.length > 0);
  if (rooms.length === 0) return null;
  return (
    <Section title={t('gallery.staged')}>
      {rooms.flatMap(({ original, staged }) =>
        staged.map((image) => <BeforeAfter key={image.imageId} original={original} staged={image} />),
      )}
    </Section>
  );
}

/** A photo and the picture staged from it. */
function BeforeAfter({
  original,
  staged,
}: {
  readonly original: Room['original'];
  readonly staged: DetailImage;
}) {
  const { t } = useText();
  const page = useProvenancePage(staged);
  return (
    <Compare
      original={{ imageId: original.imageId, alt: t('gallery.original', { what: original.altText }) }}
      staged={{ imageId: staged.imageId, alt: staged.altText, label: staged.disclosureLabel }}
      ratio={original.width && original.height ? original.width / original.height : RATIO}
    >
      <span>
        {staged.altText}
        {staged.disclosureText === staged.disclosureLabel ? null : ` · ${staged.disclosureText}`}
      </span>
      <a href={`#picture-${original.imageId}`}>{staged.disclosure?.linkText}</a>
      {page === null ? null : <a href={page}>{t('gallery.provenance')}</a>}
    </Compare>
  );
}
