import { FEATURE_VALUES } from '../../../machines/feature-values.ts';
import { FEATURE_KEYS, type FeatureKey } from '../../wire/listings/feature-keys.ts';
import { listed, type Read, whole, yesNo } from './values.ts';

/** Values of a feed that mean a feature, besides the one that is sent out. */
const ALSO: Readonly<Partial<Record<FeatureKey, readonly string[]>>> = {
  PETS_ALLOWED: ['Cats OK', 'Dogs OK'],
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

/** Of each field, the features that it may name, and the values of its lookup that do; none for a field that is yes or no. */
const BY_FIELD = new Map<string, { key: FeatureKey; values: readonly string[] }[]>();
for (const key of FEATURE_KEYS) {
  const { field, value } = FEATURE_VALUES[key];
  const values = value === true ? [] : [value, ...(ALSO[key] ?? [])];
  BY_FIELD.set(field, [...(BY_FIELD.get(field) ?? []), { key, values }]);
}
