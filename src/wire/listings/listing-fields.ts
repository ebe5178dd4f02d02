import { z } from 'zod';
import { LIVING_AREA_UNITS, LOT_SIZE_UNITS } from '../../../i18n/areas.ts';
import { STANDARD_STATUSES } from '../../../persistence/entities/values.ts';
import { line, paragraphs, plainLine } from '../text.ts';
import { FEATURE_KEYS } from './feature-keys.ts';

/** The fields of a listing as agents send them (docs/contract.md#listings); the bounds are those of the columns. */

/** Numbers with at most the column's digits, so that nothing is silently rounded. */
function amount(digits: number, scale: number) {
  const factor = 10 ** scale;
  return z
    .number()
    .min(0)
    .max((10 ** digits - 1) / factor)
    .refine((value) => Math.abs(Math.round(value * factor) / factor - value) < 1e-9, {
      message: `At most ${scale} decimals.`,
    });
}
export const money = amount(14, 2);
export const currency = z.string().regex(/^[A-Z]{3}$/, 'Three capital letters (ISO 4217).');
export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);
const count = z.int().min(0).max(1000);
const year = z.int().min(1000).max(3000);

/** Accepted in any order, stored in the catalogue's order. */
function choices<const T extends string>(known: readonly T[]) {
  return z
    .array(z.enum(known as readonly [T, ...T[]]))
    .max(known.length * 2)
    .transform((chosen) => known.filter((one) => chosen.includes(one)));
}

export const FEE_FREQUENCIES = [
  'Annually',
  'Bi-Monthly',
  'Bi-Weekly',
  'Daily',
  'Monthly',
  'One Time',
  'Quarterly',
  'Seasonal',
  'Semi-Annually',
  'Semi-Monthly',
  'Weekly',
] as const;
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** An IANA name that this runtime supports; offsets such as `+01:00` are not names. */
const timeZone = line(64).refine((name) => {
  try {
    return (
      /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
    );
  } catch {
    return false;
  }
}, 'An IANA time zone, such as America/Los_Angeles.');
const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM, from 00:00 to 23:59.');

/** Always present. */
export const requiredFields = { listPrice: money.gt(0), address: plainLine(300), city: plainLine(120) };

/** Null means unknown. */
export const nullableFields = {
  bedroomsTotal: count.nullable(),
  bathroomsTotal: amount(4, 2).nullable(),
  livingArea: amount(12, 2).nullable(),
  lotSizeArea: amount(14, 2).nullable(),
  yearBuilt: year.nullable(),
  /** The year of a major renovation. */
  yearBuiltEffective: year.nullable(),
  /** Half floors count. */
  stories: amount(4, 1).nullable(),
  roomsTotal: count.nullable(),
  garageSpaces: count.nullable(),
  parkingTotal: count.nullable(),
  propertyType: line(60).nullable(),
  propertySubType: line(60).nullable(),
  unitNumber: plainLine(30).nullable(),
  countyOrParish: plainLine(120).nullable(),
  subdivisionName: plainLine(120).nullable(),
  stateOrProvince: plainLine(60).nullable(),
  postalCode: plainLine(20).nullable(),
  latitude: latitude.nullable(),
  longitude: longitude.nullable(),
  publicRemarks: paragraphs(10_000).nullable(),
  associationFee: money.nullable(),
  associationFeeFrequency: z.enum(FEE_FREQUENCIES).nullable(),
  taxAnnualAmount: money.nullable(),
  taxYear: year.nullable(),
  showingStartTime: wallTime.nullable(),
  showingEndTime: wallTime.nullable(),
};

/** A check of a listing: half a position is none. */
export function wholePosition<T extends { latitude?: number | null; longitude?: number | null }>({
  value,
  issues,
}: z.core.ParsePayload<T>): void {
  const [known, other] = [value.latitude, value.longitude].map((half) =>
    half === undefined ? 'absent' : half === null,
  );
  if (known === other) return;
  const message = 'Send latitude and longitude together.';
  issues.push({ code: 'custom', input: value, path: ['latitude'], message });
}

/** Fields with a default value that means "not given". */
export const defaultedFields = {
  currency,
  country: z.string().regex(/^[A-Z]{2}$/, 'Two capital letters (ISO 3166).'),
  livingAreaUnits: z.enum(LIVING_AREA_UNITS),
  lotSizeUnits: z.enum(LOT_SIZE_UNITS),
  features: choices(FEATURE_KEYS),
  propertyTimeZoneName: timeZone,
  /** Hours between a request and the earliest tour. */
  showingAdvanceNotice: z.int().min(0).max(720),
  /** Empty means every day. */
  showingDays: choices(WEEKDAYS),
  autoConfirmTours: z.boolean(),
};

export const standardStatus = z.enum(STANDARD_STATUSES);

/** A calendar day in the property's time zone. */
export const calendarDay = z.iso.date();
