import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { filterCatalog } from '../../../api/queries.ts';
import { ButtonLink } from '../../../primitives/button.tsx';
import { CheckboxRow, Pill } from '../../../primitives/choices.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import { AddressSection } from './address-section.tsx';
import { DescriptionField } from './description-field.tsx';
import { HomeSection } from './home-section.tsx';
import { PositionField } from './position-field.tsx';
import { PriceSection } from './price-section.tsx';
import { ChoiceField, NumberField, type SavedFieldProps, TimeField } from './saved-field.tsx';
import { type ListingChange, useSave } from './use-save.ts';
import './details.css';

const route = getRouteApi('/studio/$propertyId/details');

/** What is known of a listing. Every field is stored by itself. */
export function Component() {
  const { t } = useText();
  const { propertyId } = route.useParams();
  return (
    <Workspace propertyId={propertyId} title={t('studio.step.details')}>
      {(listing) => <Details listing={listing} />}
    </Workspace>
  );
}

function Details({ listing: stored }: { readonly listing: OwnListing }) {
  const { t } = useText();
  const { propertyId } = stored;
  const given = useSave(stored);
  return (
    <>
      <p className="muted">{t('studio.details.saved')}</p>
      <div className="details">
        <div className="details-column">
          <AddressSection {...given} />
          <PositionField {...given} />
          <PriceSection {...given} />
        </div>
        <div className="details-column">
          <HomeSection {...given} />
          <Features {...given} />
          <DescriptionField {...given} />
        </div>
      </div>
      <Showing {...given} />
      <div>
        <ButtonLink kind="primary" to="/studio/$propertyId" params={{ propertyId }}>
          {t('studio.details.toPhotos')}
        </ButtonLink>
      </div>
    </>
  );
}

function Features({ listing: { features }, save }: SavedFieldProps) {
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

/** When homes can be visited, in the zone of the home. */
function Showing({ listing, save }: SavedFieldProps) {
  const { t } = useText();
  const { autoConfirmTours, propertyTimeZoneName } = listing;
  const zones = [...new Set([propertyTimeZoneName, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Section title={t('studio.details.showing')}>
      <div className="studio-columns">
        <ChoiceField
          listing={listing}
          save={save}
          name="propertyTimeZoneName"
          isRequired
          options={zones.map((value) => ({ value, label: value }))}
        />
        <NumberField listing={listing} save={save} name="showingAdvanceNotice" isRequired most={720} />
        <TimeField listing={listing} save={save} name="showingStartTime" />
        <TimeField listing={listing} save={save} name="showingEndTime" />
      </div>
      <CheckboxRow
        label={t('studio.field.autoConfirmTours')}
        isChosen={autoConfirmTours}
        onChange={(isChosen) => void save({ autoConfirmTours: isChosen })}
      />
    </Section>
  );
}
