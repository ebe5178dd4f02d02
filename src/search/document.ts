import { z } from 'zod';
import type { SearchSource } from '../../persistence/search/search-documents.ts';
import { imageUrl } from '../wire/images.ts';
import { daysOnMarket } from '../wire/listings/market-days.ts';
import { type IndexedCard, indexedCard, toIndexedCard } from '../wire/listings/property-card.ts';

/** Prefix of every document's key (docs/contract.md#search-documents). */
export const DOCUMENT_PREFIX = 'psearch:property:';
export const documentKey = (propertyId: string): string => `${DOCUMENT_PREFIX}${propertyId}`;

/** A hash as stored in the key-value store. */
export type Document = Readonly<Record<string, string>>;

/**
 * The hash's fields: those of the card as strings, null as an empty string, arrays as JSON; plus `indexedAt` and
 * `documentVersion` (docs/contract.md#search-documents). `indexedCard` is the only source of fields. A new field there
 * makes every older document incomplete until it is rebuilt, so what follows from the others is computed for each
 * answer instead (`toPropertyCard`).
 */
export function buildDocument(
  source: SearchSource,
  { publicBaseUrl, at }: { publicBaseUrl: string; at: number },
): Record<string, string> {
  const card = toIndexedCard(source, { publicBaseUrl, at });
  const fields = { ...card, indexedAt: new Date(at).toISOString(), documentVersion: source.version };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''),
    ]),
  );
}

/**
 * The card in a document, or null when it has another version or is incomplete. Values that depend on the present
 * time or on the installation are computed again: the days on the market and the images' origin.
 */
export function cardOfDocument(
  document: Document,
  { version, publicBaseUrl, at }: { version: number; publicBaseUrl: string; at: number },
): IndexedCard | null {
  if (document.documentVersion !== String(version)) return null;
  const fields = Object.entries(indexedCard.shape).map(([name, schema]) => [
    name,
    readField(schema, document[name]),
  ]);
  const read = indexedCard.safeParse(Object.fromEntries(fields));
  if (!read.success) return null;
  const listedAt = read.data.listedAt === null ? null : Date.parse(read.data.listedAt);
  return {
    ...read.data,
    images: read.data.images.map((image) => ({ ...image, url: imageUrl(publicBaseUrl, image.imageId) })),
    // A listing with a document is on the market.
    daysOnMarket: daysOnMarket({ listedAt, offMarketAt: null }, at),
  };
}

function readField(schema: z.ZodType, text: string | undefined): unknown {
  if (schema instanceof z.ZodNullable)
    return text === '' ? null : readField(schema.unwrap() as z.ZodType, text);
  if (schema instanceof z.ZodArray) return parsed(text);
  return schema instanceof z.ZodNumber && text !== '' ? Number(text) : text;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
