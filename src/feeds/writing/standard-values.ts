import type { Standard } from '../mapping/features.ts';

/** The lookups of the Data Dictionary whose name is not that of the field. */
const LOOKUP_OF: Readonly<Record<string, string>> = {
  LivingAreaUnits: 'AreaUnits',
  AssociationFeeFrequency: 'FeeFrequency',
  MajorChangeType: 'ChangeType',
};

/** How the feed's own values of lookups are named in the Data Dictionary; a value that is not known stays as it is. */
export function standardOf(values: readonly { lookup: string; value: string; standard: string }[]): Standard {
  const known = new Map(values.map(({ lookup, value, standard }) => [`${lookup}\n${value}`, standard]));
  return (field, value) => known.get(`${LOOKUP_OF[field] ?? field}\n${value}`) ?? value;
}
