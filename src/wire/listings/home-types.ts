/**
 * The types of homes that have names in the catalogs, in RESO's words: kinds (PropertySubType), then what they are kinds of
 * (PropertyType). A listing may have any other type; it is shown as it is written.
 */
export const HOME_TYPES = [
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
  'Residential',
  'Residential Lease',
  'Residential Income',
  'Manufactured In Park',
  'Land',
  'Farm',
] as const;
