import { getRouteApi, Link } from '@tanstack/react-router';
import { provenanceLog } from '../../api/queries.ts';
import { useLoaded } from '../../api/use-answer.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { logInputOf } from './log-data.ts';
import './provenance.css';

const route = getRouteApi('/provenance/log');

/** The log of records: what makes a record that was rewritten later show. */
export function Component() {
  const { api } = useSite();
  const { t, date, number } = useText();
  const { entries, before } = useLoaded(provenanceLog(api, logInputOf(route.useSearch())));
  return (
    <article className="page provenance">
      <header className="stack">
        <h1>{t('provenance.log.title')}</h1>
        <p>{t('provenance.log.lead')}</p>
        <p>{t('provenance.log.keep')}</p>
      </header>
      {entries.length === 0 ? <p>{t('provenance.log.none')}</p> : null}
      <ol className="stack provenance-log">
        {entries.map((entry) => (
          <li key={entry.number}>
            <h2>
              <time dateTime={entry.day}>{date(entry.day)}</time>
            </h2>
            <p>
              {[
                t('provenance.log.entry', { number: number(entry.number) }),
                t('provenance.log.records', { count: entry.records }),
                t(entry.signature === null ? 'provenance.log.unsigned' : 'provenance.log.signed'),
              ].join(' · ')}
            </p>
            <dl className="provenance-facts">
              <div>
                <dt>{t('provenance.log.head')}</dt>
                <dd>
                  <code>{entry.head}</code>
                </dd>
              </div>
              <div>
                <dt>{t('provenance.log.root')}</dt>
                <dd>
                  <code>{entry.root}</code>
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ol>
      {before === null ? null : (
        <p>
          <Link to="/provenance/log" search={{ before: String(before) }}>
            {t('provenance.log.older')}
          </Link>
        </p>
      )}
    </article>
  );
}
