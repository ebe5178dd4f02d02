import { Section } from '../../primitives/parts.tsx';
import { Picture } from '../../primitives/picture.tsx';
import { useText } from '../../site/use-site.ts';
import type { Provenance } from './provenance-data.ts';

/** What a comparison with the photo found, and where; the areas are shown on request. */
export function Changes({
  drift,
  record,
}: {
  readonly drift: NonNullable<Provenance['drift']>;
  readonly record: Provenance;
}) {
  const { t } = useText();
  const { flags, heatMapUrl } = drift;
  const { stagedUrl, stagedImageId, width, height } = record;
  return (
    <Section title={t('provenance.changes')}>
      <p>{t('provenance.changesText')}</p>
      {flags.length === 0 ? (
        <p>{t('provenance.noChanges')}</p>
      ) : (
        <ul className="legal-list">
          {flags.map(({ flag, label }) => (
            <li key={flag}>{label}</li>
          ))}
        </ul>
      )}
      {heatMapUrl === null || stagedUrl === null || width === null || height === null ? null : (
        <details>
          <summary>{t('provenance.changedAreas')}</summary>
          <figure className="provenance-changes">
            <div className="provenance-map">
              <Picture imageId={stagedImageId} alt="" ratio={width / height} sizes="100vw" />
              <img src={new URL(heatMapUrl).pathname} alt={t('provenance.changedAreasAlt')} loading="lazy" />
            </div>
            <figcaption className="muted">{t('provenance.changedAreasText')}</figcaption>
          </figure>
        </details>
      )}
    </Section>
  );
}
