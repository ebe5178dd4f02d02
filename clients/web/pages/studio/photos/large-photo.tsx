import { useText } from '../../../site/use-site.ts';
import Lightbox from '../../listing/gallery/lightbox.tsx';
import type { LargePicture } from '../../listing/listing-data.ts';
import { photoName, subjectKey } from '../photo-name.ts';
import type { Photo, Variant } from '../studio-queries.ts';

interface LargePhotoProps {
  readonly photos: readonly Photo[];
  readonly variants: readonly Variant[];
  /** The picture that is shown first. */
  readonly first: string;
  readonly onClose: () => void;
}

/** A picture with the name of its file; null for one that must not leave the studio. */
type Shown = LargePicture & { readonly fileName: string | null };

/** Photos and staged pictures as large as the window, each photo before what was staged from it, to look at and to keep. */
export default function LargePhoto({ photos, variants, first, onClose }: LargePhotoProps) {
  const { t } = useText();
  const pictures = photos.flatMap((photo, index): Shown[] => {
    const name = photoName(t, photo, index);
    const fileName = fileNameOf(index, t(subjectKey(photo)));
    const { imageId, width, height, alteration } = photo;
    const disclosureLabel = alteration === null ? null : t('studio.altered.badge');
    return [
      { imageId, width, height, altText: name, disclosureLabel, provenanceUrl: null, fileName },
      ...variants
        .filter(({ styledFromId }) => styledFromId === imageId)
        .map((variant) => stagedPicture(variant, name, fileName)),
    ];
  });
  const place = pictures.findIndex(({ imageId }) => imageId === first);
  if (place < 0) return null;
  return (
    <Lightbox
      pictures={pictures}
      first={place}
      onClose={onClose}
      actionsOf={(shown) => {
        const fileName = pictures.find(({ imageId }) => imageId === shown)?.fileName ?? null;
        return fileName === null ? null : (
          <a className="button button-quiet" href={`/api/images/${shown}`} download={fileName}>
            {t('studio.photo.download')}
          </a>
        );
      }}
    />
  );
}

function stagedPicture(variant: Variant, photo: string, fileName: string): Shown {
  const { imageId, style, outputWidth, outputHeight, disclosureLabel, provenanceUrl } = variant;
  const isPublic = variant.reviewStatus === 'APPROVED' && variant.withdrawnAt === null;
  return {
    imageId,
    width: outputWidth,
    height: outputHeight,
    altText: [photo, style].filter((part) => part !== null).join(', '),
    disclosureLabel,
    provenanceUrl,
    fileName: isPublic ? fileNameOf(null, `${fileName} ${style ?? ''} staged`) : null,
  };
}

/** Such as `03-living-room`; the browser adds the ending. @param index from 0 */
function fileNameOf(index: number | null, words: string): string {
  const number = index === null ? '' : `${String(index + 1).padStart(2, '0')}-`;
  return number + words.trim().toLowerCase().replace(/\s+/g, '-');
}
