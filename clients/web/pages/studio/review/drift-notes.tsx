import { useText } from '../../../site/use-site.ts';
import type { Variant } from '../studio-queries.ts';

interface DriftNotesProps {
  readonly drift: Variant['drift'];
  readonly areChangesShown: boolean;
  readonly onShowChanges: (areShown: boolean) => void;
}

/** What the comparison with the photo found, and the switch for its map. It decides nothing. */
export function DriftNotes({ drift, areChangesShown, onShowChanges }: DriftNotesProps) {
  const { t } = useText();
  if (drift === null) return <p className="muted review-drift">{t('studio.review.notCompared')}</p>;
  const { flags, heatMapUrl } = drift;
  return (
    <section className="review-drift" aria-label={t('studio.review.driftTitle')}>
      {flags.length === 0 ? (
        <p className="muted">{t('studio.review.driftNone')}</p>
      ) : (
        <>
          <p>{t('studio.review.driftTitle')}</p>
          <ul>
            {flags.map(({ flag, label }) => (
              <li key={flag}>{label}</li>
            ))}
          </ul>
        </>
      )}
      {heatMapUrl === null ? null : (
        <label className="row">
          <input
            type="checkbox"
            checked={areChangesShown}
            onChange={({ currentTarget }) => onShowChanges(currentTarget.checked)}
          />
          {t('studio.review.changes')}
        </label>
      )}
      {areChangesShown && heatMapUrl !== null ? (
        <p className="muted">{t('studio.review.changesLegend')}</p>
      ) : null}
      <p className="muted">{t('studio.review.driftHint')}</p>
    </section>
  );
}
