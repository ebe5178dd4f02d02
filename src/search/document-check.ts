import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { readDocumentSources, type SourceRead } from '../../persistence/search/search-documents.ts';
import { buildDocument, type Document } from './document.ts';
import { documentIds, readDocuments } from './document-store.ts';

/** A document that differs from the database. */
export interface DocumentFault {
  /** The listing's id, or the text in its place in the key. */
  readonly propertyId: string;
  readonly kind: 'missing' | 'surplus' | 'wrong';
  /** The differing fields of a wrong document, by name. */
  readonly fields: readonly string[];
}

const PAGE = 500;

/**
 * Compares every document with its listing, page by page, and every key of the store with the listings. Writes nothing.
 * Concurrent changes of listings look like faults: the caller prevents them.
 */
export async function checkDocuments(ports: {
  pool: Pool;
  redis: Redis;
  /** Undefined leaves the origin of the images' addresses out of the comparison. */
  publicBaseUrl: string | undefined;
}): Promise<{ checked: number; faults: DocumentFault[] }> {
  const { pool, redis, publicBaseUrl } = ports;
  const faults: DocumentFault[] = [];
  const expected = new Set<string>();
  for (let afterId: string | null = null; ; ) {
    const sources: SourceRead[] = await readDocumentSources(pool, { afterId, limit: PAGE });
    const documents = await readDocuments(
      redis,
      sources.map(({ propertyId }) => propertyId),
    );
    for (const source of sources) {
      const { propertyId } = source;
      expected.add(propertyId);
      const document = documents.get(propertyId);
      const fields = document ? differences(document, source, publicBaseUrl) : [];
      if (!document) faults.push({ propertyId, kind: 'missing', fields });
      else if (fields.length > 0) faults.push({ propertyId, kind: 'wrong', fields });
    }
    afterId = sources.at(-1)?.propertyId ?? null;
    if (sources.length < PAGE) break;
  }
  for (const propertyId of await surplusIds(redis, expected))
    faults.push({ propertyId, kind: 'surplus', fields: [] });
  return { checked: expected.size, faults };
}

/** Keys of documents that belong to none of the expected listings. */
export async function surplusIds(redis: Redis, expected: ReadonlySet<string>): Promise<Set<string>> {
  const surplus = new Set<string>();
  for await (const ids of documentIds(redis, PAGE))
    for (const id of ids) if (!expected.has(id)) surplus.add(id);
  return surplus;
}

/** The fields that differ from a document built now with the stored document's time. */
function differences(document: Document, source: SourceRead, publicBaseUrl: string | undefined): string[] {
  const at = Date.parse(document.indexedAt ?? '');
  if (Number.isNaN(at)) return ['indexedAt'];
  const right = buildDocument(source, { publicBaseUrl: publicBaseUrl ?? '', at });
  const given = publicBaseUrl === undefined ? withoutOrigin(document) : document;
  const names = new Set([...Object.keys(right), ...Object.keys(given)]);
  const differing = [...names].filter((name) => right[name] !== given[name]);
  return [...new Set([...differing, ...(saysWhatIsStaged(document.images) ? [] : ['images'])])].sort();
}

function withoutOrigin({ images = '', ...document }: Document): Document {
  return { ...document, images: images.replaceAll(/"url":"[^"]*?(?=\/api\/images\/)/g, '"url":"') };
}

/** Checked before an approved staged image may be shown (docs/contract.md#disclosure). */
function saysWhatIsStaged(images: string | undefined): boolean {
  try {
    const entries: unknown = JSON.parse(images ?? '');
    return Array.isArray(entries) && entries.every((entry) => typeof entry?.isStyled === 'boolean');
  } catch {
    return false;
  }
}
