import { useEffect, useState } from 'react';
import { pictureSet, pictureUrl } from '../pictures/picture-files.ts';
import { useText } from '../site/use-site.ts';
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

/**
 * A picture of a listing. Its space is known before it is loaded, so that nothing moves. Where it cannot be loaded, words
 * say so until the connection is back.
 */
export function Picture(props: PictureProps) {
  // Another picture in the same place is loaded for itself.
  return <OnePicture key={props.imageId} {...props} />;
}

function OnePicture({ imageId, alt, ratio, sizes, isFirst = false, isWhole = false }: PictureProps) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <MissingPicture alt={alt} ratio={ratio} retry={() => setFailed(false)} />;
  return (
    <img
      // It may have failed before there were scripts.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0 && image.currentSrc !== '') setFailed(true);
      }}
      onError={() => setFailed(true)}
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

function MissingPicture({
  alt,
  ratio,
  retry,
}: Pick<PictureProps, 'alt' | 'ratio'> & { readonly retry: () => void }) {
  const { t } = useText();
  useEffect(() => {
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [retry]);
  return (
    <span className="picture picture-missing" style={{ aspectRatio: ratio }}>
      {[alt, t('pictures.notLoaded')].filter((part) => part !== '').join(': ')}
    </span>
  );
}
