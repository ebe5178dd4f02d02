import { Button } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import type { useDecisions } from './use-decisions.ts';

/** The last decision, as long as it can be taken back. */
export function UndoLine({ decisions }: { readonly decisions: ReturnType<typeof useDecisions> }) {
  const { t } = useText();
  const last = decisions.undoable;
  return (
    <div role="status">
      {last === undefined ? null : (
        <p className="review-undo">
          {last.kind === 'reject'
            ? t('studio.review.rejected')
            : t('studio.review.approved', { count: last.imageIds.length })}
          <Button kind="quiet" onPress={decisions.undo}>
            {t('studio.key.undo')}
          </Button>
        </p>
      )}
    </div>
  );
}
