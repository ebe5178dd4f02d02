/**
 * The types of homes that have names in the catalogs (`homeType.*`), in RESO's words. Agents choose among them, also where
 * no listing is yet. A listing may have any other type, such as a feed's; it is shown as it is written.
 */

/** What a home is (PropertySubType). */
export const HOME_KINDS = [
  'Single Family Residence',
  'Townhouse',
  'Condominium',
  'Apartment',
  'Stock Cooperative',
  'Duplex',
  'Triplex',
  'Quadruplex',
  'Multi Family',
  'Manufactured Home',
  'Mobile Home',
  'Cabin',
] as const;

/** What it is a kind of (PropertyType). */
export const PROPERTY_TYPES = [
  'Residential',
  'Residential Lease',
  'Residential Income',
  'Manufactured In Park',
  'Land',
  'Farm',
] as const;

export const HOME_TYPES = [...HOME_KINDS, ...PROPERTY_TYPES] as const;
