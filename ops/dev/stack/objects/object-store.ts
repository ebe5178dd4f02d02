import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver, { type PackageObject, type PackageStore } from 's3rver';
import account from 's3rver/lib/models/account.js';
import { deleteObjects } from './object-deletion.ts';
import { listObjects } from './object-listing.ts';
import { type S3Error, type S3Keys, s3ErrorOf } from './s3-signature.ts';

/**
 * S3 on 127.0.0.1 over plain files (`s3rver`), behind a gate that adds what the package lacks: every request must
 * be signed with the store's keys; upload encodings that the package would store as content are rejected; requests
 * about a whole bucket are answered here; an object appears whole or not at all. Objects are files; a crash loses at most the request in flight.
 */
export interface ObjectStoreOptions {
  directory: string;
  /** Created when it does not exist. */
  bucket: string;
  /** 0 selects a free one. */
  port: number;
  keys: S3Keys;
}

/** Starts listening and returns the endpoint. */
export async function openObjectStore({
  directory,
  bucket,
  port,
  keys,
}: ObjectStoreOptions): Promise<string> {
  account.DUMMY_ACCOUNT.revokeAccessKey('S3RVER');
  account.DUMMY_ACCOUNT.createKeyPair(keys.accessKeyId, keys.secretAccessKey);
  const store = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    address: '127.0.0.1',
    port: 0,
    configureBuckets: [{ name: bucket }],
  });
  await store.configureBuckets();
  store.store.putObject = (object) => putWhole(store.store, object);
  const serve = store.callback();
  const server = createServer((request, response) => {
    const error = gate(request, keys);
    if (error) return refuse(request, response, error);
    const own = ownPart(request);
    if (own === null) return serve(request, response);
    const { bucket } = own;
    const remove = async (key: string) => {
      if (await store.store.existsObject(bucket, key)) await store.store.deleteObject(bucket, key);
    };
    void answerOwnPart({ ...own, directory, request, response, remove });
  });
  return await listen(server, port);
}

/**
 * The package writes into the object's own file and answers before the last byte is written, so that a reader can
 * see an empty object.
 */
async function putWhole(store: PackageStore, object: PackageObject): Promise<{ size: number; md5: string }> {
  const { bucket, key, content, metadata } = object;
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
  const md5 = createHash('md5').update(bytes).digest('hex');
  const path = store.getResourcePath(bucket, key, 'object');
  const unfinished = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, bytes);
  await store.putMetadata(bucket, key, metadata, md5);
  await rename(unfinished, path);
  return { size: bytes.length, md5 };
}

function gate(request: IncomingMessage, keys: S3Keys): S3Error | undefined {
  const { method = '', url = '', headers } = request;
  if (String(headers['x-amz-content-sha256']).endsWith('-TRAILER')) {
    return {
      status: 501,
      code: 'NotImplemented',
      message: 'No trailing checksums here: set requestChecksumCalculation to WHEN_REQUIRED.',
    };
  }
  try {
    return s3ErrorOf({ method, url, headers }, keys, Date.now());
  } catch (error) {
    return { status: 400, code: 'InvalidURI', message: String(error) };
  }
}

const BUCKET = /^\/([a-z0-9][a-z0-9.-]{1,62})\/?$/;
/** A thousand keys of a kilobyte each, escaped. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;

/** The bucket and query of a request about a whole bucket; null when the package answers it. */
function ownPart({ method, url = '' }: IncomingMessage): { bucket: string; query: URLSearchParams } | null {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost');
  const bucket = BUCKET.exec(pathname)?.[1];
  const isOurs = method === 'GET' ? query.get('list-type') === '2' : method === 'POST' && query.has('delete');
  return bucket !== undefined && isOurs ? { bucket, query } : null;
}

interface OwnPart {
  directory: string;
  bucket: string;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
  remove(key: string): Promise<void>;
}

async function answerOwnPart(part: OwnPart): Promise<void> {
  const { request, response } = part;
  try {
    const xml =
      request.method === 'GET'
        ? await listObjects(part)
        : await deleteObjects(await bodyOf(request), { remove: part.remove });
    if (xml === null) return refuse(request, response, request.method === 'GET' ? NO_BUCKET : MALFORMED);
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(xml);
  } catch (error) {
    refuse(request, response, { status: 500, code: 'InternalError', message: String(error) });
  }
}

const NO_BUCKET = { status: 404, code: 'NoSuchBucket', message: 'The specified bucket does not exist' };
const MALFORMED = { status: 400, code: 'MalformedXML', message: 'Name 1 to 1000 keys.' };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MOST_BODY_BYTES) throw new Error('The body is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: S3Error,
): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.end(request.method === 'HEAD' ? undefined : body);
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no TCP address'));
      else resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}
