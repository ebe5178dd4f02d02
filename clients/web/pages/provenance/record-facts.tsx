import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../site/use-site.ts';
import type { Provenance } from './provenance-data.ts';

/** What is known of a picture, in plain words. What is not known is left out. */
export function RecordFacts({ record }: { readonly record: Provenance }) {
  const { t, instant, number } = useText();
  const { approver, framing, requestedAt, attemptNumber, manifests } = record;
  const time = (at: string): ReactNode => <time dateTime={at}>{instant(at)}</time>;
  const rows: readonly (readonly [label: string, value: ReactNode])[] = [
    ['provenance.changed', t('provenance.changedText')],
    ['provenance.style', record.style],
    ['provenance.room', record.room],
    [
      'provenance.approver',
      t('provenance.approverText', {
        role: t(approver.role === 'agent' ? 'provenance.role.agent' : 'provenance.role.other'),
        office: approver.office ?? t('provenance.noOffice'),
      }),
    ],
    ['provenance.approvedAt', time(record.approvedAt)],
    ['provenance.requestedAt', requestedAt === null ? null : time(requestedAt)],
    ['provenance.stagedAt', time(record.stagedAt)],
    ['provenance.model', record.providerModel],
    ['provenance.promptVersion', record.promptVersion],
    ['provenance.attempt', attemptNumber === null ? null : number(attemptNumber)],
    ['provenance.framing', framing === null ? null : t(`provenance.framing.${framing}`)],
    ['provenance.originalChecksum', <code key="original">{record.originalChecksum}</code>],
    ['provenance.outputChecksum', <code key="output">{record.outputChecksum}</code>],
    [
      'provenance.reports',
      record.reports.visits === 0
        ? t('provenance.reportsNone')
        : `${t('provenance.reportsVisits', { count: record.reports.visits })}, ${t('provenance.reportsUpheld', { count: record.reports.upheld })}`,
    ],
    [
      'provenance.logEntry',
      record.logEntry === null ? (
        t('provenance.logEntryNone')
      ) : (
        <Link key="log" to="/provenance/log" search={{ before: String(record.logEntry + 1) }}>
          {t('provenance.logEntryText', { number: number(record.logEntry) })}
        </Link>
      ),
    ],
  ];
  return (
    <>
      <dl className="provenance-facts">
        {rows
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
      </dl>
      {manifests.length === 0 ? null : (
        <details>
          <summary>{t('provenance.manifests', { count: manifests.length })}</summary>
          <ul className="stack">
            {manifests.map(({ manifestId, signedAt }) => (
              <li key={manifestId}>
                <code>{manifestId}</code> {time(signedAt)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className="muted">{t('provenance.proof')}</p>
    </>
  );
}
