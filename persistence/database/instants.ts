/** A timestamptz as the driver returns it: a Date, or text inside JSON. */
export type Instant = Date | string;

/** Milliseconds since 1970, the only time format of machines. */
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

/** A row as the driver returns it, where these columns are instants. */
export type Stored<T, K extends keyof T> = Omit<T, K> & {
  [P in K]: null extends T[P] ? Date | null : Date;
};
export type Millis<R> = { [P in keyof R]: Date extends R[P] ? Exclude<R[P], Date> | number : R[P] };

/** The row with its instants as milliseconds. */
export function withMillis<R extends object>(row: R): Millis<R> {
  const millis = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? toMillis(value) : value,
  ]);
  return Object.fromEntries(millis) as Millis<R>;
}
