import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * ListObjectsV2 over the files of `s3rver`. The package's own answer fails as soon as there is a second page (it
 * enciphers the token with DES, which OpenSSL no longer has), and it orders keys by folder instead of by bytes.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
export interface ListingRequest {
  /** The package's directory for all buckets. */
  directory: string;
  bucket: string;
  query: URLSearchParams;
}

const OBJECT = '._S3rver_object';
const MOST_KEYS = 1_000;

interface Page {
  keys: string[];
  prefixes: string[];
  /** Where the next page begins; null for the last page. */
  next: string | null;
}

/** The XML of one page; null when there is no such bucket. */
export async function listObjects({ directory, bucket, query }: ListingRequest): Promise<string | null> {
  const root = join(directory, bucket);
  const all = await keysOf(root);
  if (all === null) return null;
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : fromToken(token);
  const asked = Number(query.get('max-keys') ?? MOST_KEYS);
  const most = Number.isInteger(asked) && asked >= 0 ? Math.min(asked, MOST_KEYS) : MOST_KEYS;
  const page = pageOf(
    all.filter((key) => key.startsWith(prefix)),
    { prefix, delimiter, after, most },
  );
  const isEncoded = query.get('encoding-type') === 'url';
  const shown = (text: string) => escaped(isEncoded ? encodeURIComponent(text) : text);
  const contents = await Promise.all(page.keys.map((key) => contentOf(root, key, shown)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    element('Name', escaped(bucket)) + element('Prefix', shown(prefix)),
    delimiter === '' ? '' : element('Delimiter', shown(delimiter)),
    isEncoded ? element('EncodingType', 'url') : '',
    element('MaxKeys', String(most)) + element('KeyCount', String(page.keys.length + page.prefixes.length)),
    element('IsTruncated', String(page.next !== null)),
    token === null ? '' : element('ContinuationToken', escaped(token)),
    page.next === null ? '' : element('NextContinuationToken', toToken(page.next)),
    ...contents,
    ...page.prefixes.map((one) => element('CommonPrefixes', element('Prefix', shown(one)))),
    '</ListBucketResult>',
  ].join('');
}

async function keysOf(root: string): Promise<string[] | null> {
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(OBJECT))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).slice(0, -OBJECT.length))
      .map((path) => path.split(sep).join('/'))
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function pageOf(
  sorted: readonly string[],
  { prefix, delimiter, after, most }: { prefix: string; delimiter: string; after: string; most: number },
): Page {
  const page: Page = { keys: [], prefixes: [], next: null };
  let last = '';
  for (const key of sorted) {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const entry = end < 0 ? key : key.slice(0, end + delimiter.length);
    // A common prefix stands for all of its keys, including those after the end of the previous page.
    if (Buffer.compare(Buffer.from(entry), Buffer.from(after)) <= 0 || entry === last) continue;
    if (page.keys.length + page.prefixes.length === most) return most === 0 ? page : { ...page, next: last };
    (entry === key ? page.keys : page.prefixes).push(entry);
    last = entry;
  }
  return page;
}

async function contentOf(root: string, key: string, shown: (text: string) => string): Promise<string> {
  const path = join(root, `${key}${OBJECT}`);
  try {
    const [{ size, mtime }, md5] = await Promise.all([
      stat(path),
      readFile(`${path}.md5`, 'utf8').catch(() => ''),
    ]);
    return element(
      'Contents',
      element('Key', shown(key)) +
        element('LastModified', mtime.toISOString()) +
        element('ETag', `&quot;${md5}&quot;`) +
        element('Size', String(size)) +
        element('StorageClass', 'STANDARD'),
    );
  } catch {
    // Deleted since the folder was read.
    return '';
  }
}

const toToken = (entry: string): string => Buffer.from(entry).toString('base64url');
const fromToken = (token: string): string => Buffer.from(token, 'base64url').toString();

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
