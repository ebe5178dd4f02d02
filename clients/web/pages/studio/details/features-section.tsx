import { useQuery } from '@tanstack/react-query';
import { filterCatalog } from '../../../api/queries.ts';
import { Pill } from '../../../primitives/choices.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import type { SavedFieldProps } from './saved-field.tsx';
import type { ListingChange } from './use-save.ts';

/** What the home has, by group. */
export default function FeaturesSection({ listing: { features }, save }: SavedFieldProps) {
  const { api } = useSite();
  const { t } = useText();
  const { data: catalog } = useQuery(filterCatalog(api));
  const toggle = (key: string): void => {
    const next = features.includes(key) ? features.filter((one) => one !== key) : [...features, key];
    void save({ features: next as NonNullable<ListingChange['features']> });
  };
  return (
    <Section title={t('studio.details.features', { count: features.length })}>
      {(catalog?.featureGroups ?? []).map(({ group, keys }) => (
        <details key={group} className="studio-brief">
          <summary>
            {t(`featureGroup.${group}`)}
            {` · ${keys.filter((key) => features.includes(key)).length}`}
          </summary>
          <fieldset className="choices">
            <legend className="visually-hidden">{t(`featureGroup.${group}`)}</legend>
            {keys.map((key) => (
              <Pill key={key} type="checkbox" checked={features.includes(key)} onChange={() => toggle(key)}>
                {t(`feature.${key}`)}
              </Pill>
            ))}
          </fieldset>
        </details>
      ))}
    </Section>
  );
}
