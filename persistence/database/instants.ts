/** timestamptz as the driver hands it over: a Date, or text inside of json. */
export type Instant = Date | string;

/** Milliseconds since 1970, the only form in which machines know time. */
export function toMillis(value: Instant): number;
export function toMillis(value: Instant | null): number | null;
export function toMillis(value: Instant | null): number | null {
  if (value === null) return null;
  const millis = (value instanceof Date ? value : new Date(value)).getTime();
  if (Number.isNaN(millis)) throw new TypeError(`not an instant: ${String(value)}`);
  return millis;
}

export function toDate(millis: number): Date;
export function toDate(millis: number | null): Date | null;
export function toDate(millis: number | null): Date | null {
  return millis === null ? null : new Date(millis);
}
