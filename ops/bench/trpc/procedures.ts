import { z } from 'zod';
import type { RequestContext } from '../../../src/api/base.ts';
import { publicProcedure, router } from '../../../src/api/base.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import { keepNothing, type Repeats } from '../../../src/repeats/repeats.ts';

/**
 * The router that both hosts serve: procedures as the product builds them, with input and output schemas, superjson
 * and its error shapes, over one record in memory, so that mainly the transport is measured.
 */
const listingInput = z.object({ listingId: z.uuid() });
const renameInput = z.object({ listingId: z.uuid(), title: z.string().min(1).max(120) });
const listing = z.object({
  listingId: z.uuid(),
  title: z.string(),
  listPrice: z.number(),
  bedroomsTotal: z.int(),
  features: z.array(z.string()),
  listedAt: z.iso.datetime(),
});

const LISTED_AT = new Date(Date.UTC(2026, 0, 1)).toISOString();
const listingOf = (listingId: string, title: string) => ({
  listingId,
  title,
  listPrice: 725_000,
  bedroomsTotal: 4,
  features: ['FIREPLACE', 'GARAGE', 'DECK'],
  listedAt: LISTED_AT,
});

export const benchRouter = router({
  listing: publicProcedure
    .input(listingInput)
    .output(listing)
    .query(({ input }) => listingOf(input.listingId, 'Craftsman on the hill')),
  rename: publicProcedure
    .input(renameInput)
    .output(listing)
    .mutation(({ input }) => listingOf(input.listingId, input.title)),
  refuse: publicProcedure.query(() => {
    throw new PublicError('NOT_FOUND');
  }),
  fail: publicProcedure.query(() => {
    throw new Error('secret');
  }),
});

const NO_REPEATS: Repeats = { once: (_call, _form, work) => work(keepNothing) };

/** Calls are unauthenticated, so that reading a session costs neither host anything. */
export function anonymousContext(
  given: RequestContext['request'],
  responseHeaders: RequestContext['responseHeaders'],
): RequestContext {
  return { request: given, user: null, responseHeaders, repeats: NO_REPEATS };
}
