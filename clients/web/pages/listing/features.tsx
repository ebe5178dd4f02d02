import { Section } from '../../primitives/parts.tsx';
import { useText } from '../../site/use-site.ts';
import { Fold } from './fold.tsx';
import type { Detail } from './listing-data.ts';

/** Groups of features that are always shown. */
const FIRST = 3;

type Group = Detail['featureGroups'][number];

/** What a home has, by group; the later groups on request. */
export default function Features({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const groups = home.featureGroups.filter(({ keys }) => keys.length > 0);
  if (groups.length === 0) return null;
  const later = groups.slice(FIRST);
  return (
    <Section title={t('listing.features')}>
      <FeatureGroups groups={groups.slice(0, FIRST)} />
      {later.length === 0 ? null : (
        <Fold title={t('listing.allFeatures', { count: home.features.length })}>
          <FeatureGroups groups={later} />
        </Fold>
      )}
    </Section>
  );
}

function FeatureGroups({ groups }: { readonly groups: readonly Group[] }) {
  const { t } = useText();
  return (
    <div className="listing-features">
      {groups.map(({ group, keys }) => (
        <div key={group}>
          <h3>{t(`featureGroup.${group}`)}</h3>
          <ul>
            {keys.map((key) => (
              <li key={key}>{t(`feature.${key}`)}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
