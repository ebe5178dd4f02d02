import { z } from 'zod';
import { CONSOLE_KINDS, type ConsoleKind } from '../../../persistence/console/kinds.ts';
import type { ActorFilter, ActorLine } from '../../../persistence/console/lists.ts';

/** The filter in the address of a list. Unknown parameters and values are ignored. */
export interface ListChoice {
  kind: ConsoleKind;
  state: string | null;
  failedOnly: boolean;
  quarantinedOnly: boolean;
  propertyId: string | null;
  worker: string | null;
  olderThan: Age | null;
  after: { createdAt: number; id: string } | null;
}

export const AGES = { '10m': 10, '1h': 60, '1d': 24 * 60, '7d': 7 * 24 * 60, '30d': 30 * 24 * 60 } as const;
type Age = keyof typeof AGES;
const MINUTE = 60_000;
export const LINES_A_PAGE = 50;
const LAST_INSTANT = 8.64e15;

const uuid = z.uuid();
const yes = z.literal('yes');
const cursor = z.string().regex(/^-?\d{1,16}_[0-9a-f-]{36}$/);
const state = z.string().regex(/^[A-Z_]{1,40}(?:\.[A-Z_]{1,40})?$/);
const worker = z.string().regex(/^[\w.:-]{1,64}$/);

const said = <T>(schema: z.ZodType<T>, value: string | undefined): T | null => {
  const parsed = schema.safeParse(value?.trim());
  return parsed.success ? parsed.data : null;
};

export function choiceOf(kind: ConsoleKind, query: Readonly<Record<string, string>>): ListChoice {
  const { narrow, failed } = CONSOLE_KINDS[kind];
  return {
    kind,
    state: said(state, query.state),
    failedOnly: failed.length > 0 && said(yes, query.failed) !== null,
    quarantinedOnly: narrow.quarantined !== null && said(yes, query.quarantined) !== null,
    propertyId: narrow.property === null ? null : said(uuid, query.property),
    worker: narrow.worker === null ? null : said(worker, query.worker),
    olderThan: said(z.enum(Object.keys(AGES) as [Age, ...Age[]]), query.older),
    after: afterOf(query.after),
  };
}

function afterOf(text: string | undefined): ListChoice['after'] {
  const parsed = said(cursor, text);
  if (parsed === null) return null;
  const [createdAt = '', id = ''] = parsed.split('_');
  return said(uuid, id) !== null && Math.abs(Number(createdAt)) <= LAST_INSTANT
    ? { createdAt: Number(createdAt), id }
    : null;
}

/** One line more than is shown tells whether there is another page. */
export function filterOf({ olderThan, ...choice }: ListChoice, at: number): ActorFilter {
  const before = olderThan === null ? null : at - AGES[olderThan] * MINUTE;
  return { ...choice, before, limit: LINES_A_PAGE + 1 };
}

/** The same list elsewhere: the next page, or from its start. */
export function listAddress(choice: ListChoice, after: Pick<ActorLine, 'createdAt' | 'id'> | null): string {
  const query = new URLSearchParams();
  if (choice.state !== null) query.set('state', choice.state);
  if (choice.failedOnly) query.set('failed', 'yes');
  if (choice.quarantinedOnly) query.set('quarantined', 'yes');
  if (choice.propertyId !== null) query.set('property', choice.propertyId);
  if (choice.worker !== null) query.set('worker', choice.worker);
  if (choice.olderThan !== null) query.set('older', choice.olderThan);
  if (after !== null) query.set('after', `${after.createdAt}_${after.id}`);
  const text = query.toString();
  return `/console/actors/${choice.kind}${text === '' ? '' : `?${text}`}`;
}
