import { getRouteApi, Link } from '@tanstack/react-router';
import { provenance } from '../../api/queries.ts';
import { useLoaded } from '../../api/use-answer.ts';
import { Compare } from '../../primitives/compare.tsx';
import { Section, StatusBadge } from '../../primitives/parts.tsx';
import { Picture } from '../../primitives/picture.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { Changes } from './changes.tsx';
import { FileCheck } from './file-check.tsx';
import type { Provenance } from './provenance-data.ts';
import { RecordFacts } from './record-facts.tsx';
import './provenance.css';

const route = getRouteApi('/provenance/$stagedImageId');

/** Of pictures of old releases, and of a photo alone. */
const RATIO = 4 / 3;
const SIZES = '(min-width: 48rem) 60rem, 100vw';

/** Where a staged picture comes from: for everyone, forever, also when it is no longer shown. */
export function Component() {
  const { api } = useSite();
  const { t, instant } = useText();
  const record = useLoaded(provenance(api, route.useParams()));
  const { status, since, propertyId, drift, room } = record;
  const isShown = status === 'PUBLIC';
  const day = instant(since);
  return (
    <article className="page provenance">
      <header className="stack">
        <div className="row">
          <StatusBadge tone={isShown ? 'primary' : 'warning'}>
            {isShown ? record.disclosureLabel : t('provenance.notShown')}
          </StatusBadge>
          {record.disclosureText === record.disclosureLabel ? null : <span>{record.disclosureText}</span>}
        </div>
        <h1>{t('provenance.title', { what: room ?? t('room.unknown') })}</h1>
        <p>{t('provenance.lead')}</p>
        {isShown ? null : (
          <p className="provenance-withdrawn">{t(`provenance.status.${status}`, { date: day })}</p>
        )}
      </header>
      <Pictures record={record} />
      {propertyId === null ? null : (
        <p>
          <Link to="/properties/$propertyId" params={{ propertyId }}>
            {t('provenance.toListing')}
          </Link>
        </p>
      )}
      {drift === null ? null : <Changes drift={drift} record={record} />}
      <Section title={t('provenance.facts')}>
        <RecordFacts record={record} />
      </Section>
      <Section title={t('provenance.history')}>
        <ol className="stack">
          {record.events.map(({ kind, at }) => (
            <li key={`${kind} ${at}`}>
              {t(`provenance.event.${kind}`)} <time dateTime={at}>{instant(at)}</time>
            </li>
          ))}
        </ol>
      </Section>
      <Section title={t('provenance.check.title')}>
        <FileCheck record={record} />
      </Section>
      <Section title={t('provenance.address')}>
        <p>{t('provenance.addressText')}</p>
        <div className="provenance-address">
          <img
            src={`/api/provenance/${record.stagedImageId}/qr.svg`}
            alt={t('provenance.code')}
            width={180}
            height={180}
          />
          <a href={record.provenanceUrl}>{record.provenanceUrl}</a>
        </div>
      </Section>
    </article>
  );
}

function Pictures({ record }: { readonly record: Provenance }) {
  const { t } = useText();
  const { originalImageId, stagedImageId, stagedUrl, room, width, height, disclosureLabel } = record;
  if (originalImageId === null) return null;
  const what = room ?? t('room.unknown');
  const original = { imageId: originalImageId, alt: t('gallery.original', { what }) };
  if (stagedUrl === null)
    return (
      <div className="before-after-picture">
        <Picture {...original} ratio={RATIO} sizes={SIZES} />
        <span className="picture-label">{t('gallery.originalLabel')}</span>
      </div>
    );
  return (
    <Compare
      original={original}
      staged={{
        imageId: stagedImageId,
        alt: t('disclosure.altText', { room: what }),
        label: disclosureLabel,
      }}
      ratio={width !== null && height !== null ? width / height : RATIO}
    >
      <span>{t('provenance.caption')}</span>
    </Compare>
  );
}
