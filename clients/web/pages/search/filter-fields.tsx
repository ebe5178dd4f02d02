import type { FC } from 'react';
import type { Outputs } from '../../../typescript/procedures.ts';
import { PICTURE_CHOICES } from '../../pictures/picture-choice.ts';
import { Pill } from '../../primitives/choices.tsx';
import { Field } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { homeTypeName } from '../../words/home-types.ts';
import { NumberField } from './number-field.tsx';
import type { SearchState } from './search-state.ts';
import type { Counts } from './use-draft.tsx';

export type PartName = 'price' | 'rooms' | 'types' | 'more';

interface FieldsProps {
  readonly state: SearchState;
  readonly catalog: Outputs['search']['getFilterCatalog'];
  readonly counts: Counts | null;
}

const ROOMS = ['1', '2', '3', '4', '5'];
const PLACES = ['1', '2', '3'];
const DAYS = ['1', '7', '14', '30', '90'];
const OPEN_DAYS = ['1', '7', '14', '30'];
const MONTHS = ['1', '3', '6', '12', '24', '36'];
const UNIT_NAMES = { 'Square Feet': 'filter.squareFeet', 'Square Meters': 'filter.squareMeters' } as const;

/** With those of the address, so that the form keeps them. */
const monthsWith = (sold: number | undefined): readonly string[] =>
  sold === undefined || MONTHS.includes(String(sold)) ? MONTHS : [...MONTHS, String(sold)];

type Translate = ReturnType<typeof useText>['t'];
type Options = readonly (readonly [value: string, label: string])[];

const atLeast = (values: readonly string[], t: Translate): Options => [
  ['', t('filter.any')],
  ...values.map((value) => [value, t('filter.atLeast', { value })] as const),
];

const counted = (key: string, values: readonly string[], t: Translate): Options =>
  values.map((value) => [value, t(key, { count: Number(value) })] as const);

/** The fields of one part of the filters. */
export default function FilterFields({ part, ...fields }: FieldsProps & { readonly part: PartName }) {
  const Fields = FIELDS[part];
  return <Fields {...fields} />;
}

function PriceFields({ state }: FieldsProps) {
  const { t } = useText();
  return (
    <div className="filters-pair">
      <NumberField name="minPrice" label={t('filter.min')} unit="money" value={state.minPrice} />
      <NumberField name="maxPrice" label={t('filter.max')} unit="money" value={state.maxPrice} />
    </div>
  );
}

function RoomFields({ state }: FieldsProps) {
  const { t } = useText();
  const rooms = atLeast(ROOMS, t);
  return (
    <>
      <OneOf name="beds" legend={t('filter.beds')} options={rooms} value={state.beds} />
      <OneOf name="baths" legend={t('filter.baths')} options={rooms} value={state.baths} />
    </>
  );
}

function TypeFields({ state, catalog }: FieldsProps) {
  const { t } = useText();
  if (catalog.propertyTypes.length === 0) return <p className="muted">{t('filter.noTypes')}</p>;
  return (
    <fieldset className="filters-set">
      <legend className="visually-hidden">{t('filter.types')}</legend>
      {catalog.propertyTypes.map((type) => (
        <Check
          key={type}
          name="type"
          value={type}
          label={homeTypeName(t, type)}
          isOn={state.type?.includes(type)}
        />
      ))}
    </fieldset>
  );
}

function MoreFields({ state, catalog, counts }: FieldsProps) {
  const { t } = useText();
  const { site } = useSite().settings;
  const area = t(UNIT_NAMES[site.areaUnits]);
  return (
    <>
      <OfferField sold={state.sold} />
      <div className="filters-pair">
        <NumberField name="minArea" label={t('filter.minArea')} unit={area} value={state.minArea} />
        <NumberField name="maxArea" label={t('filter.maxArea')} unit={area} value={state.maxArea} />
        <NumberField name="minLot" label={t('filter.minLot')} unit={area} value={state.minLot} />
        <NumberField name="builtFrom" label={t('filter.builtFrom')} unit={null} value={state.builtFrom} />
        <NumberField name="maxFee" label={t('filter.maxFee')} unit="money" value={state.maxFee} />
        <Field label={t('filter.words')}>
          <input
            className="input"
            name="words"
            defaultValue={state.words ?? ''}
            maxLength={100}
            autoComplete="off"
          />
        </Field>
      </div>
      <OneOf name="garage" legend={t('filter.garage')} options={atLeast(PLACES, t)} value={state.garage} />
      <OneOf
        name="days"
        legend={t('filter.days')}
        options={[['', t('filter.any')], ...counted('filter.daysMost', DAYS, t)]}
        value={state.days}
      />
      <OneOf
        name="open"
        legend={t('filter.open')}
        options={[['', t('filter.any')], ...counted('filter.openDays', OPEN_DAYS, t)]}
        value={state.open}
      />
      <div className="filters-set">
        <Check name="reduced" value="1" label={t('chip.reduced')} isOn={state.reduced} />
        <Check name="photos" value="1" label={t('chip.photos')} isOn={state.photos} />
      </div>
      <OneOf
        name="pictures"
        legend={t('pictures.legend')}
        options={PICTURE_CHOICES.map((choice) => [choice, t(`pictures.${choice}`)] as const)}
        value={state.pictures ?? 'any'}
      />
      <FeatureFields state={state} catalog={catalog} counts={counts} />
    </>
  );
}

/** Homes for sale, or sold in the last months. */
function OfferField({ sold }: Pick<SearchState, 'sold'>) {
  const { t } = useText();
  return (
    <Field label={t('filter.offer')}>
      <select className="input" name="sold" defaultValue={sold ?? ''}>
        <option value="">{t('filter.forSale')}</option>
        {counted('chip.sold', monthsWith(sold), t).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Features by group, each with the number of homes that have it. */
function FeatureFields({ state, catalog, counts }: FieldsProps) {
  const { t, number } = useText();
  return (
    <>
      {catalog.featureGroups.map(({ group, keys }) => (
        <details key={group} open={keys.some((key) => state.feature?.includes(key))}>
          <summary className="filters-group">{t(`featureGroup.${group}`)}</summary>
          <div className="filters-set">
            {keys.map((key) => {
              const count = counts?.of.get(key);
              const label = t(`feature.${key}`);
              return (
                <Check
                  key={key}
                  name="feature"
                  value={key}
                  label={count === undefined ? label : `${label} ${number(count)}`}
                  isOn={state.feature?.includes(key)}
                />
              );
            })}
          </div>
        </details>
      ))}
    </>
  );
}

interface OneOfProps {
  readonly name: string;
  readonly legend: string;
  readonly options: Options;
  readonly value: string | number | undefined;
}

/** One of a few values. A value of the address that is not offered is offered too, so that the form keeps it. */
function OneOf({ name, legend, options, value = '' }: OneOfProps) {
  const { number } = useText();
  const chosen = String(value);
  const isOffered = options.some(([one]) => one === chosen);
  const all = isOffered ? options : [...options, [chosen, number(Number(chosen))] as const];
  return (
    <fieldset className="filters-set">
      <legend className="field-label">{legend}</legend>
      {all.map(([one, label]) => (
        <Pill key={one} type="radio" name={name} value={one} defaultChecked={one === chosen}>
          {label}
        </Pill>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly isOn: boolean | undefined;
}

function Check({ name, value, label, isOn = false }: CheckProps) {
  return (
    <Pill type="checkbox" name={name} value={value} defaultChecked={isOn}>
      {label}
    </Pill>
  );
}

const FIELDS: Readonly<Record<PartName, FC<FieldsProps>>> = {
  price: PriceFields,
  rooms: RoomFields,
  types: TypeFields,
  more: MoreFields,
};
