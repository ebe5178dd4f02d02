import { useText } from '../../site/use-site.ts';
import type { Tour } from './tour-list.ts';

/** What a customer has reported about pictures of a home, and what became of it. */
export function MismatchReports({ tour: { mismatchReports, timeZone } }: { readonly tour: Tour }) {
  const { t, dateTime } = useText();
  if (mismatchReports.length === 0) return null;
  return (
    <details>
      <summary className="tour-reports">
        {t('tours.mismatch.reported', { count: mismatchReports.length })}
      </summary>
      <ul className="stack">
        {mismatchReports.map(({ reportId, status, note, createdAt }) => (
          <li key={reportId}>
            <strong>{t(`tours.mismatch.status.${status}`)}</strong>
            {` · ${dateTime(createdAt, timeZone)}`}
            {note === null ? null : (
              <span className="tour-line" dir="auto">
                {note}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
