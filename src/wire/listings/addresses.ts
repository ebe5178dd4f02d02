import { z } from 'zod';
import { searchText, uuid } from '../text.ts';
import { defaultedFields, latitude, longitude, nullableFields, requiredFields } from './listing-fields.ts';

/** The shapes of `addresses.*` (docs/contract.md#addresses). */

/** Whose another listing of the same home is. */
export const SAME_HOMES = ['MINE', 'PUBLIC', 'PRIVATE'] as const;

const MIN_CHARACTERS = 3;
export const MAX_ADDRESSES = 6;

const { address, city } = requiredFields;
const { stateOrProvince, postalCode, unitNumber } = nullableFields;
const { country } = defaultedFields;
const position = z.strictObject({ latitude, longitude });

export const suggestAddressesInput = z.strictObject({
  /** The text typed so far. */
  text: searchText(200).refine(
    (text) => [...text].length >= MIN_CHARACTERS,
    `Type at least ${MIN_CHARACTERS} characters.`,
  ),
  country,
});

const suggestedAddress = z.object({
  /** Street and number. */
  address: z.string(),
  city: z.string(),
  stateOrProvince: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});
export type SuggestedAddress = z.output<typeof suggestedAddress>;

export const suggestAddressesOutput = z.object({
  /** Those of listings with a public page first, then the geocoder's, the best of each first. */
  items: z.array(suggestedAddress).max(MAX_ADDRESSES),
});

export const locateInput = z.strictObject({
  /** Of the listing that is placed: its own position says nothing. */
  propertyId: uuid.nullish(),
  country,
  stateOrProvince: stateOrProvince.optional(),
  city,
  postalCode: postalCode.optional(),
  /** Where the pin is. */
  position: position.nullish(),
});

export const locateOutput = z.object({
  /** Where a pin begins; null where nothing is known. */
  area: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      /** [west, south, east, north]; null when only a point is known. */
      bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
    })
    .nullable(),
  /** Whether the pin is far outside its postal code. */
  isFar: z.boolean(),
});

export const findSameInput = z.strictObject({
  /** Of the listing that is asked for. */
  propertyId: uuid.nullish(),
  address,
  unitNumber: unitNumber.optional(),
  city,
  stateOrProvince: stateOrProvince.optional(),
  country,
});

export const findSameOutput = z.object({
  /** Another listing of the same address and unit: the caller's before a public one before others; null for none. */
  same: z
    .object({
      whose: z.enum(SAME_HOMES),
      /** Null when it is another agent's, and not public. */
      propertyId: z.string().nullable(),
    })
    .nullable(),
});
