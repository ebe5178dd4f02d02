import type { StandardStatus } from '../entities/values.ts';
import { oneOf } from './sql-values.ts';

/**
 * The only definition of who may see which part of a listing. Every query that shows listings or pictures uses these
 * conditions. Triggers must repeat them in SQL: those of 0013 (search rows), 0014 (addresses),
 * 0016 (tours), 0123 (photos) and 0177 (webhooks).
 */

/** On the market: customers can request and visit these listings, and search finds them by default. */
export const ON_MARKET_STATUSES = ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'] as const;
/** Drafts and deleted listings: visible to their agents at most. */
const HIDDEN_STATUSES: readonly StandardStatus[] = ['Incomplete', 'Delete'];

/**
 * SQL condition: no operator has taken the property with this alias down or suspended its owner, and the owner waits for no
 * approval.
 */
const isNotHidden = (property: string): string => `${property}."hiddenFor" = '{}'`;

/** SQL condition: the property with this alias is on the market, and public. */
export function isOffered(property: string): string {
  return `(${property}."standardStatus" IN ${oneOf(ON_MARKET_STATUSES)} AND ${isNotHidden(property)})`;
}

/**
 * SQL condition: the page of the property with this alias is public. Search shows fewer (only listings on the market):
 * a listing that left the market keeps its page; a draft, a deleted and a hidden listing have none.
 */
export function hasPublicPage(property: string): string {
  return `(${property}."standardStatus" NOT IN ${oneOf(HIDDEN_STATUSES)} AND ${isNotHidden(property)})`;
}

/**
 * SQL condition: the property with this alias is not hidden, where the index that is read lacks the column. Few are, and
 * an index holds them.
 */
export function isNotAmongHidden(property: string): string {
  return `${property}.id NOT IN (SELECT id FROM properties WHERE "hiddenFor" <> '{}')`;
}

/**
 * SQL condition: the picture with this alias is not private: a photo that may be shown, or an approved variant of one,
 * not withdrawn.
 */
export function isPublicPicture(image: string): string {
  return `(CASE WHEN ${image}."isStyled" THEN ${isShownVariant(image)} AND EXISTS (SELECT FROM property_images shown_photo
      WHERE shown_photo.id = ${image}."styledFromId" AND ${isShownPhoto('shown_photo')})
    ELSE ${isShownPhoto(image)} END)`;
}

/** SQL condition: the photo with this alias has its verdict, and is no staged picture of ours (docs/contract.md#intake). */
export function isShownPhoto(image: string): string {
  return `(coalesce(${image}."photoState", 'PHOTO') IN ('PHOTO', 'SUSPECT'))`;
}

/** SQL condition: the staged picture with this alias is approved, and not withdrawn. */
export function isShownVariant(image: string): string {
  return `(${image}."reviewStatus" = 'APPROVED' AND ${image}."withdrawnAt" IS NULL)`;
}

/**
 * SQL condition: the picture with this alias was staged here, or altered elsewhere, or was found to be a staged picture:
 * it is no true photo.
 */
export function isAltered(image: string): string {
  return `(${image}."isStyled" OR ${image}.alteration IS NOT NULL
    OR coalesce(${image}."photoState", 'PHOTO') IN ('QUESTION', 'STAGED_PICTURE'))`;
}

/** SQL: the id of the first photo of the property with this alias, unaltered and shown to everyone; null without one. */
export function publicPhoto(property: string): string {
  return `(SELECT photo.id FROM property_images photo
    WHERE photo."propertyId" = ${property}.id AND NOT ${isAltered('photo')} AND ${isPublicPicture('photo')}
      AND ${hasPublicPage(property)}
    ORDER BY photo."isMain" DESC, photo.position, photo.id LIMIT 1)`;
}

/** SQL: joins the unaltered photo `o` of each picture `i`: what a staged one was made of, or an altered one names. */
export const ORIGINAL_JOIN = `
  LEFT JOIN property_images o ON o.id = coalesce(i."styledFromId", i."alteredFromId")`;

/**
 * SQL: pictures `i` with their originals `o` in the order of the gallery: after each photo those of it that were altered
 * elsewhere, then its variants.
 */
export const GALLERY_ORDER = `
  ORDER BY coalesce(o."isMain", i."isMain") DESC, coalesce(o.position, i.position),
    coalesce(o."createdAt", i."createdAt"), coalesce(o.id, i.id), o.id IS NOT NULL, i."isStyled",
    i."createdAt", i.id`;
