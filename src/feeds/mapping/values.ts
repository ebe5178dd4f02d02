/**
 * Values of a record as our columns have them; undefined for what is no such value. A feed writes numbers as numbers or
 * as text, and empty texts for nothing. Nothing is rounded without need: exact columns get digits.
 */
export type Read<T> = (value: unknown) => T | undefined;

export const text =
  (most: number): Read<string> =>
  (value) => {
    if (typeof value !== 'string') return undefined;
    const cut = [...value.trim()].slice(0, most).join('').trim();
    return cut === '' ? undefined : cut;
  };

const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

export const whole =
  (least: number, most: number): Read<number> =>
  (value) => {
    const number = numberOf(value);
    if (number === undefined) return undefined;
    const rounded = Math.round(number);
    return rounded >= least && rounded <= most ? rounded : undefined;
  };

/** From 0, with at most so many digits before and after the point. */
export const decimal =
  (before: number, after: number): Read<number> =>
  (value) => {
    const number = numberOf(value);
    if (number === undefined || number < 0 || number >= 10 ** before) return undefined;
    return Number(number.toFixed(after));
  };

/** A price of nothing is none. */
export const price: Read<number> = (value) => decimal(12, 2)(value) || undefined;

export const coordinate =
  (most: number): Read<number> =>
  (value) => {
    const number = numberOf(value);
    return number !== undefined && Math.abs(number) <= most ? number : undefined;
  };

/** yyyy-mm-dd. */
export const day: Read<string> = (value) => {
  const found = typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:T|$)/.exec(value)?.[1] : undefined;
  if (found === undefined) return undefined;
  const at = new Date(`${found}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(found) ? found : undefined;
};

/** Milliseconds; a day is at noon UTC, so that every time zone shows that day. */
export const instant: Read<number> = (value) => {
  if (typeof value !== 'string') return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
  const at = Date.parse(isDay ? `${value}T12:00:00Z` : isZoned ? value : `${value}Z`);
  return Number.isNaN(at) || at < 0 ? undefined : at;
};

export const yesNo: Read<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|y|yes|1)$/i.test(value)) return true;
  return /^(?:false|n|no|0)$/i.test(value) ? false : undefined;
};

/** hh:mm. */
export const clock: Read<string> = (value) => {
  const found = typeof value === 'string' ? /(?:^|T)([01]\d|2[0-3]):([0-5]\d)/.exec(value) : null;
  return found === null ? undefined : `${found[1]}:${found[2]}`;
};

export const oneOf =
  <T extends string>(known: readonly T[]): Read<T> =>
  (value) =>
    known.find((one) => one === value);

/** The values of a lookup: a list, or one text with commas. */
export function listed(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string');
  if (typeof value !== 'string' || value.trim() === '') return [];
  return value.split(',').map((one) => one.trim());
}
