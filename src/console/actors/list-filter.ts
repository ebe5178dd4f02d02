import { z } from 'zod';
import { CONSOLE_KINDS, type ConsoleKind } from '../../../persistence/console/kinds.ts';
import type { ActorFilter } from '../../../persistence/console/lists.ts';
import { type Cursor, cursorOf, cursorText } from '../cursor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const AGES = { '10m': 10 * MINUTE, '1h': HOUR, '1d': DAY, '7d': 7 * DAY, '30d': 30 * DAY };
export const LINES_A_PAGE = 50;

/** The filters in the address of a list. Unknown parameters and values are ignored. */
const said = <T extends z.ZodType<unknown, string>>(schema: T) =>
  z.string().trim().pipe(schema).optional().catch(undefined);
const filters = z.object({
  state: said(z.string().regex(/^[A-Z_]{1,40}(?:\.[A-Z_]{1,40})?$/)),
  failed: said(z.literal('yes')),
  quarantined: said(z.literal('yes')),
  operator: said(z.literal('yes')),
  rooms: said(z.literal('yes')),
  property: said(z.uuid()),
  worker: said(z.string().regex(/^[\w.:-]{1,64}$/)),
  older: said(z.enum(Object.keys(AGES) as (keyof typeof AGES)[])),
});
export interface ListChoice {
  kind: ConsoleKind;
  filters: z.infer<typeof filters>;
  after: Cursor | null;
}

export function choiceOf(kind: ConsoleKind, query: Readonly<Record<string, string>>): ListChoice {
  const { narrow, failed } = CONSOLE_KINDS[kind];
  const offered = filters.parse(query);
  if (failed.length === 0) delete offered.failed;
  if (narrow.quarantined === undefined) delete offered.quarantined;
  if (narrow.awaitsOperator === undefined) delete offered.operator;
  if (narrow.roomDiffers === undefined) delete offered.rooms;
  if (narrow.property === undefined) delete offered.property;
  if (narrow.worker === undefined) delete offered.worker;
  return { kind, filters: offered, after: cursorOf(query.after) };
}

/** Reads one row more than is shown, to detect another page. */
export function filterOf({ kind, filters: chosen, after }: ListChoice, at: number): ActorFilter {
  return {
    kind,
    state: chosen.state ?? null,
    failedOnly: chosen.failed === 'yes',
    quarantinedOnly: chosen.quarantined === 'yes',
    awaitsOperator: chosen.operator === 'yes',
    roomDiffersOnly: chosen.rooms === 'yes',
    propertyId: chosen.property ?? null,
    worker: chosen.worker ?? null,
    before: chosen.older === undefined ? null : at - AGES[chosen.older],
    after: after && { createdAt: after.at, id: after.id },
    limit: LINES_A_PAGE + 1,
  };
}

/** The address of the same list at its next page, or at its start. */
export function listAddress({ kind, filters: chosen }: ListChoice, after: Cursor | null): string {
  const set = Object.entries(chosen).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(set);
  if (after !== null) query.set('after', cursorText(after));
  return `/console/actors/${kind}${query.size === 0 ? '' : `?${query}`}`;
}
