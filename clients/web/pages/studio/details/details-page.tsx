import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LIVING_AREA_UNITS, LOT_SIZE_UNITS } from '../../../../../i18n/areas.ts';
import { filterCatalog } from '../../../api/queries.ts';
import { ButtonLink } from '../../../primitives/button.tsx';
import { CheckboxRow, Pill } from '../../../primitives/choices.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import { CityField } from './city-field.tsx';
import { DescriptionField } from './description-field.tsx';
import { LivePrice } from './live-price.tsx';
import { PositionField } from './position-field.tsx';
import { ChoiceField, NumberField, TextField, TimeField } from './saved-field.tsx';
import { type ListingChange, type Save, useSave } from './use-save.ts';

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

const LEAST_PRICE = 0.01;
const MOST_MONEY = 999_999_999_999;
const MOST_AREA = 999_999_999;
const MOST_ROOMS = 1_000;
const LATEST_YEAR = 3_000;

const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

function Details({ listing: stored }: { readonly listing: OwnListing }) {
  const { t } = useText();
  const { propertyId } = stored;
  const given = useSave(stored);
  return (
    <>
      <p className="muted">{t('studio.details.saved')}</p>
      <Section title={t('studio.details.address')}>
        <div className="studio-columns">
          <TextField {...given} name="address" isRequired longest={300} />
          <TextField {...given} name="unitNumber" longest={30} />
          <City {...given} />
          <TextField {...given} name="stateOrProvince" longest={60} />
          <TextField {...given} name="postalCode" longest={20} />
          <TextField {...given} name="country" isRequired longest={2} />
        </div>
      </Section>
      <PositionField {...given} />
      <Section title={t('studio.details.facts')}>
        <div className="studio-columns">
          {given.listing.standardStatus === 'Incomplete' ? (
            <NumberField
              {...given}
              name="listPrice"
              isRequired
              least={LEAST_PRICE}
              most={MOST_MONEY}
              step={LEAST_PRICE}
            />
          ) : (
            <LivePrice {...given} />
          )}
          <Currency {...given} />
          <PropertyType {...given} />
          <NumberField {...given} name="bedroomsTotal" most={MOST_ROOMS} />
          <NumberField {...given} name="bathroomsTotal" most={99} step={0.25} />
          <NumberField {...given} name="livingArea" most={MOST_AREA} step={0.01} />
          <ChoiceField {...given} name="livingAreaUnits" isRequired options={unitsOf(t, LIVING_AREA_UNITS)} />
          <NumberField {...given} name="lotSizeArea" most={MOST_AREA} step={0.01} />
          <ChoiceField {...given} name="lotSizeUnits" isRequired options={unitsOf(t, LOT_SIZE_UNITS)} />
          <NumberField {...given} name="yearBuilt" most={LATEST_YEAR} />
          <NumberField {...given} name="stories" most={999} step={0.5} />
          <NumberField {...given} name="garageSpaces" most={MOST_ROOMS} />
          <NumberField {...given} name="parkingTotal" most={MOST_ROOMS} />
          <NumberField {...given} name="associationFee" most={MOST_MONEY} step={0.01} />
          <NumberField {...given} name="taxAnnualAmount" most={MOST_MONEY} step={0.01} />
        </div>
      </Section>
      <DescriptionField {...given} />
      <Features {...given} />
      <Showing {...given} />
      <div>
        <ButtonLink kind="primary" to="/studio/$propertyId" params={{ propertyId }}>
          {t('studio.details.toPhotos')}
        </ButtonLink>
      </div>
    </>
  );
}

interface Given {
  readonly listing: OwnListing;
  readonly save: Save;
}

const unitsOf = (t: (key: string) => string, units: readonly string[]) =>
  units.map((value) => ({ value, label: t(`studio.unit.${value.replace(' ', '')}`) }));

function City({ listing, save }: Given) {
  const { city, latitude } = listing;
  return (
    <CityField
      value={city}
      onText={(next) => next === city || (next !== '' && save({ city: next }))}
      onPlace={(place) => {
        if (place === null) return;
        const isPlaced = latitude !== null || place.latitude === null || place.longitude === null;
        void save({
          city: place.city,
          ...(place.state === null ? {} : { stateOrProvince: place.state }),
          ...(isPlaced ? {} : { latitude: place.latitude, longitude: place.longitude }),
        });
      }}
    />
  );
}

/** Only of a listing from before the site's currency was another: all others have the site's. */
function Currency({ listing, save }: Given) {
  const { currency } = useSite().settings.site;
  if (listing.currency === currency) return null;
  return (
    <ChoiceField
      listing={listing}
      save={save}
      name="currency"
      isRequired
      options={same([listing.currency, currency])}
    />
  );
}

function PropertyType({ listing, save }: Given) {
  const { api } = useSite();
  const { data: catalog } = useQuery(filterCatalog(api));
  return (
    <ChoiceField
      listing={listing}
      save={save}
      name="propertyType"
      options={same(catalog?.propertyTypes ?? (listing.propertyType === null ? [] : [listing.propertyType]))}
    />
  );
}

function Features({ listing: { features }, save }: Given) {
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
function Showing({ listing, save }: Given) {
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
          options={same(zones)}
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
