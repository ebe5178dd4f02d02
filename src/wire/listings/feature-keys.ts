/** The 57 amenity keys of a listing in their ten groups, in the order of the filter sheet (docs/contract.md#search). */
export const FEATURE_GROUPS = [
  {
    group: 'Interior',
    keys: [
      'OPEN_FLOORPLAN',
      'HIGH_CEILINGS',
      'FIREPLACE',
      'HARDWOOD_FLOORS',
      'WALK_IN_CLOSET',
      'BUILT_IN_STORAGE',
      'SKYLIGHTS',
      'FURNISHED',
    ],
  },
  {
    group: 'Kitchen',
    keys: [
      'EAT_IN_KITCHEN',
      'KITCHEN_ISLAND',
      'PANTRY',
      'STONE_COUNTERTOPS',
      'STAINLESS_APPLIANCES',
      'DISHWASHER',
      'GAS_COOKTOP',
    ],
  },
  {
    group: 'Bath & laundry',
    keys: ['ENSUITE_BATHROOM', 'DOUBLE_VANITY', 'SOAKING_TUB', 'IN_UNIT_LAUNDRY', 'LAUNDRY_ROOM'],
  },
  {
    group: 'Heating & cooling',
    keys: ['CENTRAL_AIR', 'CENTRAL_HEATING', 'HEAT_PUMP', 'UNDERFLOOR_HEATING', 'CEILING_FANS'],
  },
  {
    group: 'Energy & smart home',
    keys: [
      'SOLAR_PANELS',
      'DOUBLE_GLAZING',
      'ENERGY_EFFICIENT_APPLIANCES',
      'SMART_HOME',
      'HIGH_SPEED_INTERNET',
      'BACKUP_GENERATOR',
    ],
  },
  {
    group: 'Outdoor',
    keys: ['BALCONY', 'TERRACE', 'PATIO', 'DECK', 'GARDEN', 'FENCED_YARD', 'PRIVATE_POOL', 'HOT_TUB'],
  },
  { group: 'Views & water', keys: ['WATERFRONT', 'WATER_VIEW', 'MOUNTAIN_VIEW', 'CITY_VIEW'] },
  {
    group: 'Parking & storage',
    keys: ['GARAGE', 'COVERED_PARKING', 'ASSIGNED_PARKING', 'EV_CHARGER', 'STORAGE_ROOM'],
  },
  { group: 'Building & community', keys: ['ELEVATOR', 'CONCIERGE', 'GYM', 'SHARED_POOL', 'PETS_ALLOWED'] },
  {
    group: 'Security & accessibility',
    keys: ['SECURITY_SYSTEM', 'GATED_COMMUNITY', 'STEP_FREE_ENTRANCE', 'WHEELCHAIR_ACCESSIBLE'],
  },
] as const;

export type FeatureKey = (typeof FEATURE_GROUPS)[number]['keys'][number];
export const FEATURE_KEYS: readonly FeatureKey[] = FEATURE_GROUPS.flatMap(({ keys }) => [...keys]);
