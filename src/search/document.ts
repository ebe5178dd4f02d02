import type { SearchSource } from '../../persistence/search-documents.ts';

/** Key of a property's document (platform.md, Search document). */
export const documentKey = (propertyId: string): string => `psearch:property:${propertyId}`;

const DAY_MS = 86_400_000;

/**
 * The hash's fields: those of PropertyCard as strings, `images` as a JSON array of
 * {imageId, url, isStyled, disclosureLabel}, `indexedAt`, `documentVersion` (decisions.md section 3).
 */
export function buildDocument(
  { propertyId, version, listing, images }: SearchSource,
  { publicBaseUrl, at }: { publicBaseUrl: string; at: number },
): Record<string, string> {
  const { features, listedAt, ...plain } = listing;
  const cover = images.find(({ isMain }) => isMain) ?? images[0];
  const fields: Record<string, string | number | null> = {
    propertyId,
    ...plain,
    features: JSON.stringify(features),
    coverImageId: cover?.imageId ?? null,
    listedAt: listedAt === null ? null : new Date(listedAt).toISOString(),
    daysOnMarket: listedAt === null ? null : Math.max(0, Math.floor((at - listedAt) / DAY_MS)),
    images: JSON.stringify(
      images.map(({ imageId, isStyled, disclosureLabel }) => ({
        imageId,
        url: `${publicBaseUrl}/api/images/${imageId}`,
        isStyled,
        disclosureLabel,
      })),
    ),
    indexedAt: new Date(at).toISOString(),
    documentVersion: version,
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value ?? '')]));
}
