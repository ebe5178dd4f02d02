import type { TraceAttributes } from '../../../supervisors/ports.ts';

/** The attributes that have a value. */
export function withoutNulls(attributes: TraceAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      (pair): pair is [string, string | number | boolean] => pair[1] !== null,
    ),
  );
}
