import type { StandardStatus } from '../entities/property.ts';
import { oneOf } from './sql-values.ts';

/**
 * Who may see what of a listing, said once; every query that shows listings or pictures takes its condition from here.
 * Two triggers have to repeat the statuses in SQL: those of 0013 (search rows) and 0016 (tours).
 */

/** On the market: people can still ask for it, visit it, and find it without asking for other statuses. */
export const ON_MARKET_STATUSES = ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'] as const;
/** Being written, or deleted: for its agents at most. */
const HIDDEN_STATUSES: readonly StandardStatus[] = ['Incomplete', 'Delete'];

/** SQL condition: the property with this alias is on the market. */
export function isOffered(property: string): string {
  return `${property}."standardStatus" IN ${oneOf(ON_MARKET_STATUSES)}`;
}

/**
 * SQL condition: the page of the property with this alias is public. Search shows fewer (only what is on the market); a
 * listing that left it keeps its page, one that is being written or was deleted has none.
 */
export function hasPublicPage(property: string): string {
  return `${property}."standardStatus" NOT IN ${oneOf(HIDDEN_STATUSES)}`;
}

/** The same, of a status that has been read. */
export function isPublicStatus(status: StandardStatus): boolean {
  return !HIDDEN_STATUSES.includes(status);
}

/** SQL condition: the picture with this alias is not private itself: an original, or a variant that was approved. */
export function isPublicPicture(image: string): string {
  return `(NOT ${image}."isStyled" OR ${image}."reviewStatus" = 'APPROVED')`;
}

/** SQL: pictures `i` with their originals `o` in the order of the gallery, each variant after its original. */
export const GALLERY_ORDER = `
  ORDER BY coalesce(o."isMain", i."isMain") DESC, coalesce(o.position, i.position),
    coalesce(o."createdAt", i."createdAt"), coalesce(o.id, i.id), i."isStyled", i."createdAt", i.id`;
