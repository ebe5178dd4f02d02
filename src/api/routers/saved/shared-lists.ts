import { randomBytes } from 'node:crypto';
import { pathIn } from '../../../../i18n/languages.ts';
import { savedPosition } from '../../../../persistence/listings/saved/favorite-queries.ts';
import {
  endSharing,
  sharedListBySecret,
  sharedListOf,
  shareFavorites,
} from '../../../../persistence/listings/saved/shared-lists.ts';
import { found } from '../../../errors/found.ts';
import { hashOfSecret } from '../../../mail/invitation-secret.ts';
import {
  sharedInput,
  sharedOutput,
  shareInput,
  shareOutput,
  sharingOutput,
  unshareOutput,
} from '../../../wire/listings/favorites.ts';
import { iso, noInput } from '../../../wire/text.ts';
import { publicProcedure, sessionProcedure } from '../../base.ts';
import { localeOf } from '../../caller-locale.ts';
import { favoritesPage, withCards } from '../../favorite-cards.ts';
import type { Services } from '../../services.ts';

const SECRET_BYTES = 32;

/** The address that shows the caller's saved homes to others (docs/contract.md#shared-list). */
export function sharedListProcedures({ pool, clock, primaryReads, settings }: Services) {
  return {
    /** Each call makes another address, and ends the one before. */
    share: sessionProcedure
      .meta({ errors: ['NOT_YET_DURABLE'] })
      .input(shareInput)
      .output(shareOutput)
      .mutation(async ({ ctx, input }) => {
        const secret = randomBytes(SECRET_BYTES).toString('base64url');
        const createdAt = clock.now();
        await shareFavorites(pool, {
          userId: ctx.user.id,
          ...input,
          createdAt,
          secretHash: hashOfSecret(secret),
        });
        const path = pathIn(settings.site, `/shared/${secret}`, localeOf(settings.site, ctx));
        return { ...input, sharedAt: iso(createdAt), url: settings.publicBaseUrl + path };
      }),
    /** The address ends at once. Idempotent. */
    unshare: sessionProcedure
      .meta({ errors: ['NOT_YET_DURABLE'] })
      .input(noInput)
      .output(unshareOutput)
      .mutation(async ({ ctx }) => {
        await endSharing(pool, ctx.user.id);
        return { shared: false };
      }),
    getSharing: sessionProcedure
      .input(noInput)
      .output(sharingOutput)
      .query(async ({ ctx }) => {
        const list = await sharedListOf(pool, ctx.user.id);
        return {
          sharing: list && { name: list.name, withNotes: list.withNotes, sharedAt: iso(list.createdAt) },
        };
      }),
    /** From the primary: an address that was ended a moment ago shows nothing. */
    getShared: publicProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(sharedInput)
      .output(sharedOutput)
      .query(async ({ ctx, input: { secret, cursor = null, limit, pictures } }) => {
        const { reader, cards } = primaryReads(ctx);
        const { userId, name, withNotes } = found(await sharedListBySecret(reader, hashOfSecret(secret)));
        const after = cursor === null ? null : await savedPosition(reader, { userId, propertyId: cursor });
        // The page of a home that has left the list meanwhile is empty: a list that is read again has all.
        if (cursor !== null && after === null) return { items: [], nextCursor: null, name };
        const asked = { userId, sort: 'SAVED', after, limit } as const;
        const page = await favoritesPage(reader, asked, ({ propertyId }) => propertyId);
        const items = await withCards({ cards, marks: page.items, pictures }, (card, { publicNote }) => ({
          ...card,
          note: withNotes ? publicNote : null,
        }));
        return { ...page, items, name };
      }),
  };
}
