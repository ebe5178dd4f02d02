import { pictureSet, pictureUrl } from '../pictures/picture-files.ts';
import './picture.css';

interface PictureProps {
  readonly imageId: string;
  readonly alt: string;
  /** Width divided by height of the space that the picture fills. */
  readonly ratio: number;
  /** As the `sizes` attribute of an image. */
  readonly sizes: string;
  /** The first picture of a page: loaded before anything else. */
  readonly isFirst?: boolean;
  /** Whole instead of cut to the space. */
  readonly isWhole?: boolean;
}

/** A picture of a listing. Its space is known before it is loaded, so that nothing moves. */
export function Picture({ imageId, alt, ratio, sizes, isFirst = false, isWhole = false }: PictureProps) {
  return (
    <img
      className={isWhole ? 'picture picture-whole' : 'picture'}
      src={pictureUrl(imageId, 768)}
      srcSet={pictureSet(imageId)}
      sizes={sizes}
      alt={alt}
      width={1200}
      height={Math.round(1200 / ratio)}
      style={{ aspectRatio: ratio }}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
    />
  );
}
