import { useText } from '../../../app/use-site.ts';
import { Sheet } from '../../../primitives/sheet.tsx';
import { REVIEW_KEYS } from './review-keys.ts';

/** The keys of the review. */
export default function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText();
  return (
    <Sheet title={t('studio.review.keys')} onClose={onClose}>
      <dl className="review-keys">
        {REVIEW_KEYS.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key === ' ' ? t('studio.key.space') : key.toUpperCase()}</kbd>
            </dt>
            <dd>{t(`studio.key.${action}`)}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
