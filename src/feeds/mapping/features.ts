import { FEATURE_KEYS, type FeatureKey } from '../../wire/listings/feature-keys.ts';
import { listed, type Read, whole, yesNo } from './values.ts';

/**
 * The features of the platform as Data Dictionary 2.0 names them: the field, and the values of its lookup. A field that
 * ends in `YN` has the feature when it is true.
 */
export const FEATURE_FIELDS: Readonly<Record<FeatureKey, readonly [field: string, ...values: string[]]>> = {
  OPEN_FLOORPLAN: ['InteriorFeatures', 'Open Floorplan'],
  HIGH_CEILINGS: ['InteriorFeatures', 'High Ceilings'],
  FIREPLACE: ['FireplaceYN'],
  HARDWOOD_FLOORS: ['Flooring', 'Hardwood'],
  WALK_IN_CLOSET: ['InteriorFeatures', 'Walk-In Closet(s)'],
  BUILT_IN_STORAGE: ['InteriorFeatures', 'Built-in Features'],
  SKYLIGHTS: ['WindowFeatures', 'Skylight(s)'],
  FURNISHED: ['Furnished', 'Furnished'],
  EAT_IN_KITCHEN: ['InteriorFeatures', 'Eat-in Kitchen'],
  KITCHEN_ISLAND: ['InteriorFeatures', 'Kitchen Island'],
  PANTRY: ['InteriorFeatures', 'Pantry'],
  STONE_COUNTERTOPS: ['InteriorFeatures', 'Stone Counters'],
  STAINLESS_APPLIANCES: ['Appliances', 'Stainless Steel Appliance(s)'],
  DISHWASHER: ['Appliances', 'Dishwasher'],
  GAS_COOKTOP: ['Appliances', 'Gas Cooktop'],
  ENSUITE_BATHROOM: ['RoomType', 'Master Bathroom'],
  DOUBLE_VANITY: ['InteriorFeatures', 'Double Vanity'],
  SOAKING_TUB: ['InteriorFeatures', 'Soaking Tub'],
  IN_UNIT_LAUNDRY: ['LaundryFeatures', 'In Unit'],
  LAUNDRY_ROOM: ['LaundryFeatures', 'Laundry Room'],
  CENTRAL_AIR: ['Cooling', 'Central Air'],
  CENTRAL_HEATING: ['Heating', 'Central'],
  HEAT_PUMP: ['Heating', 'Heat Pump'],
  UNDERFLOOR_HEATING: ['Heating', 'Radiant Floor'],
  CEILING_FANS: ['InteriorFeatures', 'Ceiling Fan(s)'],
  SOLAR_PANELS: ['GreenEnergyGeneration', 'Solar'],
  DOUBLE_GLAZING: ['WindowFeatures', 'Double Pane Windows'],
  ENERGY_EFFICIENT_APPLIANCES: ['Appliances', 'ENERGY STAR Qualified Appliances'],
  SMART_HOME: ['InteriorFeatures', 'Smart Home'],
  HIGH_SPEED_INTERNET: ['InteriorFeatures', 'High Speed Internet'],
  BACKUP_GENERATOR: ['OtherEquipment', 'Generator'],
  BALCONY: ['ExteriorFeatures', 'Balcony'],
  TERRACE: ['PatioAndPorchFeatures', 'Terrace'],
  PATIO: ['PatioAndPorchFeatures', 'Patio'],
  DECK: ['PatioAndPorchFeatures', 'Deck'],
  GARDEN: ['ExteriorFeatures', 'Garden'],
  FENCED_YARD: ['Fencing', 'Fenced'],
  PRIVATE_POOL: ['PoolPrivateYN'],
  HOT_TUB: ['SpaYN'],
  WATERFRONT: ['WaterfrontYN'],
  WATER_VIEW: ['View', 'Water'],
  MOUNTAIN_VIEW: ['View', 'Mountain(s)'],
  CITY_VIEW: ['View', 'City'],
  GARAGE: ['GarageYN'],
  COVERED_PARKING: ['CarportYN'],
  ASSIGNED_PARKING: ['ParkingFeatures', 'Assigned'],
  EV_CHARGER: ['ParkingFeatures', 'Electric Vehicle Charging Station(s)'],
  STORAGE_ROOM: ['AssociationAmenities', 'Storage'],
  ELEVATOR: ['AssociationAmenities', 'Elevator(s)'],
  CONCIERGE: ['AssociationAmenities', 'Concierge'],
  GYM: ['AssociationAmenities', 'Fitness Center'],
  SHARED_POOL: ['AssociationAmenities', 'Pool'],
  PETS_ALLOWED: ['PetsAllowed', 'Yes', 'Cats OK', 'Dogs OK'],
  SECURITY_SYSTEM: ['SecurityFeatures', 'Security System'],
  GATED_COMMUNITY: ['SecurityFeatures', 'Gated Community'],
  STEP_FREE_ENTRANCE: ['AccessibilityFeatures', 'Accessible Entrance'],
  WHEELCHAIR_ACCESSIBLE: ['AccessibilityFeatures', 'Customized Wheelchair Accessible'],
};

/** The value of a feed's own lookup as the Data Dictionary has it. */
export type Standard = (field: string, value: string) => string;

const garage: readonly [string, Read<unknown>][] = [
  ['AttachedGarageYN', (value) => yesNo(value) || undefined],
  ['GarageSpaces', whole(1, 1_000)],
];
export const GARAGE_FIELDS = garage.map(([field]) => field);

/** The features of a record, and what of the fields that have features maps to none. */
export function featuresOf(
  record: Readonly<Record<string, unknown>>,
  standard: Standard,
): { features: FeatureKey[]; unmapped: Record<string, string[]> } {
  const found = new Set<FeatureKey>();
  const unmapped: Record<string, string[]> = {};
  for (const [field, keys] of BY_FIELD) {
    const value = record[field];
    if (value === undefined || value === null) continue;
    if (field.endsWith('YN')) {
      if (yesNo(value)) for (const { key } of keys) found.add(key);
      continue;
    }
    const left = listed(value).filter((one) => {
      const name = standard(field, one);
      const named = keys.filter(({ values }) => values.includes(name));
      for (const { key } of named) found.add(key);
      return named.length === 0;
    });
    if (left.length > 0) unmapped[field] = left;
  }
  if (garage.some(([field, read]) => read(record[field]) !== undefined)) found.add('GARAGE');
  return { features: FEATURE_KEYS.filter((key) => found.has(key)), unmapped };
}

const BY_FIELD = new Map<string, { key: FeatureKey; values: readonly string[] }[]>();
for (const [key, [field, ...values]] of Object.entries(FEATURE_FIELDS) as [
  FeatureKey,
  readonly [string, ...string[]],
][])
  BY_FIELD.set(field, [...(BY_FIELD.get(field) ?? []), { key, values }]);
