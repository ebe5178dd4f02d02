import { Button } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import type { View } from './compare-picture.tsx';
import type { ReviewKey } from './review-keys.ts';
import { UndoLine } from './undo-line.tsx';
import type { useDecisions } from './use-decisions.ts';

/** Signs of buttons that have no room for words. */
const SIGNS = [
  ['previous', '‹'],
  ['next', '›'],
  ['farther', '−'],
  ['nearer', '+'],
  ['help', '?'],
] as const;

interface ReviewActionsProps {
  readonly view: View;
  readonly canApprove: boolean;
  readonly decisions: ReturnType<typeof useDecisions>;
  readonly onAction: (action: ReviewKey) => void;
}

/** What can be done with the picture that is looked at: at the lower edge of the window. */
export function ReviewActions({ view, canApprove, decisions, onAction }: ReviewActionsProps) {
  const { t } = useText();
  return (
    <div className="row review-actions">
      <Button
        kind="primary"
        // It keeps the focus while the next pair loads.
        aria-disabled={!canApprove}
        onPress={() => onAction('approve')}
      >
        {t('studio.review.approve')}
      </Button>
      <Button kind="danger" onPress={() => onAction('reject')}>
        {t('studio.review.reject')}
      </Button>
      {view === 'blink' ? <Button onPress={() => onAction('blink')}>{t('studio.view.blink')}</Button> : null}
      <div className="review-signs">
        {SIGNS.map(([action, sign]) => (
          <Button
            key={action}
            kind="quiet"
            title={t(`studio.key.${action}`)}
            aria-label={t(`studio.key.${action}`)}
            onPress={() => onAction(action)}
          >
            <span aria-hidden="true">{sign}</span>
          </Button>
        ))}
      </div>
      <UndoLine decisions={decisions} />
    </div>
  );
}
