/** Units of areas by their RESO names, and the one rule between them. A site has one of the first two. */
export const LIVING_AREA_UNITS = ['Square Feet', 'Square Meters'] as const;
export const LOT_SIZE_UNITS = [...LIVING_AREA_UNITS, 'Acres', 'Hectares'] as const;
export type LivingAreaUnits = (typeof LIVING_AREA_UNITS)[number];

/** As the search index has them (`search_listing_by_status`). */
const SQUARE_METERS_PER_SQUARE_FOOT = 0.09290304;
const SQUARE_FEET_PER_ACRE = 43_560;
const SQUARE_METERS_PER_HECTARE = 10_000;

const METRIC: readonly string[] = ['Square Meters', 'Hectares'];

/** Whether an area in these units is shown as it is recorded: an acre is as good as square feet. */
export const isOfSite = (units: string, site: LivingAreaUnits): boolean =>
  METRIC.includes(units) === METRIC.includes(site);

/** An area of a record in the site's square feet or square meters. */
export function areaIn(site: LivingAreaUnits, value: number, units: string): number {
  const plain =
    units === 'Acres'
      ? value * SQUARE_FEET_PER_ACRE
      : units === 'Hectares'
        ? value * SQUARE_METERS_PER_HECTARE
        : value;
  if (isOfSite(units, site)) return plain;
  return METRIC.includes(units)
    ? plain / SQUARE_METERS_PER_SQUARE_FOOT
    : plain * SQUARE_METERS_PER_SQUARE_FOOT;
}
