import { useLocation, useNavigate } from '@tanstack/react-router';
import { PICTURE_CHOICES, pictureChoiceIn, picturesOf } from '../../pictures/picture-choice.ts';
import { Choices } from '../../primitives/choices.tsx';
import { useText } from '../../site/use-site.ts';
import type { Detail } from './listing-data.ts';

/** Whether the pictures of a home show staged ones, and in which order. A home without staged or altered pictures has no choice. */
export function ChoosePictures({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const navigate = useNavigate({ from: '/properties/$propertyId' });
  // The address that is being loaded counts, so that a choice shows at once.
  const chosen = useLocation({ select: ({ search }) => pictureChoiceIn(search) });
  const { images, hiddenStagedCount } = home;
  if (hiddenStagedCount === 0 && images.every(({ disclosureLabel }) => disclosureLabel === null)) return null;
  return (
    <form className="choose-pictures" method="get">
      <Choices
        legend={t('pictures.legend')}
        name="pictures"
        value={chosen ?? 'any'}
        options={PICTURE_CHOICES.map((value) => ({ value, label: t(`pictures.${value}`) }))}
        onChange={(value) => {
          const pictures = picturesOf(value === 'any' ? undefined : value);
          void navigate({ search: pictures, replace: true, resetScroll: false });
        }}
      />
      <noscript>
        <button className="button button-secondary" type="submit">
          {t('pictures.apply')}
        </button>
      </noscript>
      <p role="status">
        {hiddenStagedCount === 0 ? null : t('pictures.hidden', { count: hiddenStagedCount })}
      </p>
    </form>
  );
}
