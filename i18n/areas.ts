/** Areas: the units of a site, of records, and the one rule between them. */

/** What a site shows and filters areas in (`areaUnits` of site.json). */
export const SITE_AREA_UNITS = ['sqft', 'sqm'] as const;
export type SiteAreaUnits = (typeof SITE_AREA_UNITS)[number];

/** The units of a record, by their RESO names; living areas have the first two. */
export const LIVING_AREA_UNITS = ['Square Feet', 'Square Meters'] as const;
export const LOT_SIZE_UNITS = [...LIVING_AREA_UNITS, 'Acres', 'Hectares'] as const;
export type LivingAreaUnits = (typeof LIVING_AREA_UNITS)[number];

/** As the search index has it (`search_listing_by_status`). */
export const SQUARE_METERS_PER_SQUARE_FOOT = 0.09290304;
const SQUARE_FEET_PER_ACRE = 43_560;
const SQUARE_METERS_PER_HECTARE = 10_000;

const METRIC: readonly string[] = ['Square Meters', 'Hectares'];

/** What listings and filters have when they name no unit. */
export const livingAreaUnitsOf = (site: SiteAreaUnits): LivingAreaUnits =>
  site === 'sqm' ? 'Square Meters' : 'Square Feet';

/** Whether an area in these units is shown as it is recorded: an acre is as good as square feet. */
export const isOfSite = (units: string, site: SiteAreaUnits): boolean =>
  METRIC.includes(units) === (site === 'sqm');

/** An area of a record in the site's square feet or square meters. */
export function areaIn(site: SiteAreaUnits, value: number, units: string): number {
  const plain =
    units === 'Acres'
      ? value * SQUARE_FEET_PER_ACRE
      : units === 'Hectares'
        ? value * SQUARE_METERS_PER_HECTARE
        : value;
  if (isOfSite(units, site)) return plain;
  return site === 'sqm' ? plain * SQUARE_METERS_PER_SQUARE_FOOT : plain / SQUARE_METERS_PER_SQUARE_FOOT;
}
