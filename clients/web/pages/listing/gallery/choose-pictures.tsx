import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useRef } from 'react';
import { PICTURE_CHOICES, type PictureChoice, picturesOf } from '../../../pictures/picture-choice.ts';
import { useText } from '../../../site/use-site.ts';
import type { Detail } from '../listing-data.ts';

/**
 * Whether the pictures of a home show staged ones, and in which order: a menu of links. A home without staged or altered
 * pictures has no choice.
 */
export function ChoosePictures({
  home,
  chosen = 'any',
}: {
  readonly home: Detail;
  readonly chosen: PictureChoice | 'any' | undefined;
}) {
  const { t } = useText();
  const menu = useRef<HTMLDetailsElement>(null);
  const { images, hiddenStagedCount } = home;
  if (hiddenStagedCount === 0 && images.every(({ disclosureLabel }) => disclosureLabel === null)) return null;
  const close = (): void => menu.current?.removeAttribute('open');
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return;
    close();
    menu.current?.querySelector('summary')?.focus();
  };
  return (
    <div className="row">
      <p role="status">
        {hiddenStagedCount === 0 ? null : t('pictures.hidden', { count: hiddenStagedCount })}
      </p>
      <details className="menu" ref={menu} onKeyDown={onKeyDown}>
        <summary>
          <span className="visually-hidden">{`${t('pictures.legend')}: `}</span>
          {t(`pictures.${chosen}`)}
        </summary>
        <ul className="menu-list">
          {PICTURE_CHOICES.map((choice) => (
            <li key={choice}>
              <Link
                to="."
                search={picturesOf(choice === 'any' ? undefined : choice)}
                replace
                resetScroll={false}
                aria-current={choice === chosen ? 'true' : undefined}
                activeProps={{}}
                onClick={close}
              >
                {t(`pictures.${choice}`)}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
