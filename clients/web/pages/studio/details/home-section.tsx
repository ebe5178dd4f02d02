import { LIVING_AREA_UNITS, LOT_SIZE_UNITS } from '../../../../../i18n/areas.ts';
import { HOME_KINDS, PROPERTY_TYPES } from '../../../../../i18n/home-types.ts';
import { Section } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { homeTypeName } from '../../../words/home-types.ts';
import { ChoiceField, NumberField, type SavedFieldProps } from './saved-field.tsx';

const MOST_AREA = 999_999_999;
const MOST_ROOMS = 1_000;
const LATEST_YEAR = 3_000;

type Translate = ReturnType<typeof useText>['t'];

const unitsOf = (t: Translate, units: readonly string[]) =>
  units.map((value) => ({ value, label: t(`studio.unit.${value.replace(' ', '')}`) }));

/** The types with names, and the listing's own, which may be another one. */
const typesOf = (t: Translate, types: readonly string[], own: string | null) =>
  [...new Set([...types, ...(own === null ? [] : [own])])].map((value) => ({
    value,
    label: homeTypeName(t, value),
  }));

/** What the home is, and how large. */
export default function HomeSection(given: SavedFieldProps) {
  const { t } = useText();
  const { propertyType, propertySubType } = given.listing;
  return (
    <Section title={t('studio.details.home')}>
      <div className="studio-columns">
        <ChoiceField
          {...given}
          name="propertySubType"
          options={typesOf(t, HOME_KINDS, propertySubType)}
          also={propertyType === null ? { propertyType: 'Residential' } : {}}
        />
        <ChoiceField {...given} name="propertyType" options={typesOf(t, PROPERTY_TYPES, propertyType)} />
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
      </div>
    </Section>
  );
}
