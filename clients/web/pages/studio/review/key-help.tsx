import { Sheet } from '../../../primitives/sheet.tsx';
import { useText } from '../../../site/use-site.ts';
import { REVIEW_KEYS } from './review-keys.ts';

/** Keys that are not their own signs. */
const SIGNS: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
};

/** The keys of the review. */
export default function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText();
  return (
    <Sheet title={t('studio.review.keys')} onClose={onClose}>
      <dl className="review-keys">
        {REVIEW_KEYS.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key === ' ' ? t('studio.key.space') : (SIGNS[key] ?? key.toUpperCase())}</kbd>
            </dt>
            <dd>{t(`studio.key.${action}`)}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
