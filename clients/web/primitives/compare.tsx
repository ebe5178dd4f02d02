import { type ReactNode, useState } from 'react';
import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Picture } from './picture.tsx';
import './compare.css';

const SIZES = '(min-width: 48rem) 36rem, 50vw';

/** A photo and the picture staged from it: side by side, or over each other with a slider. */
export function Compare({
  original,
  staged,
  ratio,
  children,
}: {
  readonly original: { readonly imageId: string; readonly alt: string };
  readonly staged: { readonly imageId: string; readonly alt: string; readonly label: string | null };
  /** Width divided by height of both. */
  readonly ratio: number;
  /** What stands below them. */
  readonly children: ReactNode;
}) {
  const { t } = useText();
  const [isOver, setOver] = useState(false);
  const [share, setShare] = useState(50);
  const style = { clipPath: `inset(0 0 0 ${share}%)` };
  return (
    <figure className="before-after">
      <div className={isOver ? 'before-after-over' : 'before-after-beside'}>
        <div className="before-after-picture">
          <Picture imageId={original.imageId} alt={original.alt} ratio={ratio} sizes={SIZES} />
          <span className="picture-label">{t('gallery.originalLabel')}</span>
        </div>
        <div className="before-after-picture" style={isOver ? style : {}}>
          <Picture imageId={staged.imageId} alt={staged.alt} ratio={ratio} sizes={SIZES} />
          {staged.label === null ? null : <span className="picture-label">{staged.label}</span>}
        </div>
        {isOver ? (
          <input
            className="before-after-slider"
            type="range"
            min={0}
            max={100}
            value={share}
            aria-label={t('gallery.slider')}
            onChange={({ currentTarget }) => setShare(Number(currentTarget.value))}
          />
        ) : null}
      </div>
      <figcaption className="row">
        {children}
        <Button kind="quiet" onPress={() => setOver(!isOver)}>
          <Icon name="compare" />
          {t(isOver ? 'gallery.beside' : 'gallery.over')}
        </Button>
      </figcaption>
    </figure>
  );
}
