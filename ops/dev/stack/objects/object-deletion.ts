/**
 * DeleteObjects for `s3rver`. Its own implementation reads a name like `0012` as a number and breaks characters
 * that are split over two packets. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 */
export interface DeletionOptions {
  /** Removes one object; a missing object has no effect. */
  remove(key: string): Promise<void>;
}

const MOST_KEYS = 1_000;
const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The XML of the answer; null when the request has no key, or more than a thousand. */
export async function deleteObjects(xml: string, { remove }: DeletionOptions): Promise<string | null> {
  const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, text = '']) => decoded(text));
  if (keys.length === 0 || keys.length > MOST_KEYS) return null;
  for (const key of keys) await remove(key);
  const isQuiet = /<Quiet>\s*true\s*<\/Quiet>/.test(xml);
  const deleted = isQuiet ? [] : keys.map((key) => `<Deleted><Key>${encoded(key)}</Key></Deleted>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${deleted.join('')}</DeleteResult>`;
}

const decoded = (text: string): string =>
  text.replace(ENTITY, (_all, hex?: string, decimal?: string, name?: string) =>
    name === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (NAMED[name.toLowerCase()] ?? ''),
  );

const encoded = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
