import { createHash } from 'node:crypto';
import { seedProperty } from '../database/seed.ts';
import type { ApiHost } from '../http/api-host.ts';
import type { Person } from '../http/person.ts';
import { noisy } from '../pictures/photo-fixtures.ts';
import { ask, storedOriginal, storedVariant } from '../pictures/stored-pictures.ts';
import { readZip, type ZipFile } from '../zip-reader.ts';

/** A picture that a test stored. */
interface StoredFixture {
  readonly imageId: string;
  readonly bytes: Buffer;
}

/** A listing with two photos; two approved pictures and a pending one were staged of the first. */
export interface ExportedListing {
  readonly agent: Person;
  readonly propertyId: string;
  readonly room: StoredFixture;
  readonly staged: readonly StoredFixture[];
  readonly pendingId: string;
  readonly yard: StoredFixture;
}

interface ListingOptions {
  /** One is made when none is named. */
  readonly agent?: Person;
  readonly columns?: Record<string, unknown>;
  readonly size?: readonly [number, number];
}

export async function exportedListing(
  host: ApiHost,
  { agent: known, columns = {}, size: [width, height] = [600, 400] }: ListingOptions = {},
): Promise<ExportedListing> {
  const agent = known ?? (await host.signedIn());
  const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, ...columns });
  const picture = async () => ({
    bytes: await noisy(width, height).jpeg().toBuffer(),
    format: 'jpeg' as const,
  });
  const room = { ...(await picture()), propertyId };
  const original = await storedOriginal(host, room);
  const variant = async (style: string, reviewStatus: string) => {
    const made = await picture();
    const imageId = await storedVariant(host, original, { reviewStatus, ...made });
    await host.rows('update property_images set "canonicalStyle" = $2, "createdAt" = now() where id = $1', [
      imageId,
      style,
    ]);
    return { imageId, bytes: made.bytes };
  };
  const staged = [await variant('TRADITIONAL', 'APPROVED'), await variant('LUXURY', 'APPROVED')];
  const pending = await variant('FARMHOUSE', 'PENDING_REVIEW');
  const yard = { ...(await picture()), propertyId };
  const { imageId: yardId } = await storedOriginal(host, yard);
  await host.rows(
    `update property_images set position = 1, "roomType" = null, "imageOf" = 'Front of Structure' where id = $1`,
    [yardId],
  );
  return {
    agent,
    propertyId,
    room: { imageId: original.imageId, bytes: room.bytes },
    staged,
    pendingId: pending.imageId,
    yard: { imageId: yardId, bytes: yard.bytes },
  };
}

export const exportPath = (propertyId: string, market?: string): string =>
  `/api/disclosure/${propertyId}.zip${market === undefined ? '' : `?market=${market}`}`;

export interface ReadExport {
  readonly headers: Record<string, string>;
  readonly files: readonly ZipFile[];
  /** What captions.json says. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into each field.
  readonly captions: readonly any[];
  text(name: string): string;
}

/** Downloads an export and reads it whole. */
export async function readExport(
  host: ApiHost,
  { agent, propertyId }: Pick<ExportedListing, 'agent' | 'propertyId'>,
  market?: string,
): Promise<ReadExport> {
  const { status, headers, bytes } = await ask(host, exportPath(propertyId, market), { as: agent });
  if (status !== 200) throw new Error(`${status} ${bytes}`);
  const files = readZip(bytes);
  const text = (name: string): string =>
    files.find((file) => file.name === name)?.bytes.toString('utf8') ?? '';
  return { headers, files, captions: JSON.parse(text('captions.json')), text };
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
