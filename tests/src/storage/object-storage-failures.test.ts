import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createObjectStorage, StorageError } from '../../../src/storage/object-storage.ts';
import { type FailingStore, s3Error, startFailingStore } from '../../support/http/failing-store.ts';

let store: FailingStore | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

async function failing(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  timeoutMs?: number,
): Promise<FailingStore> {
  store = await startFailingStore(answer, timeoutMs);
  return store;
}

async function failure(call: Promise<unknown>): Promise<StorageError> {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof StorageError)) throw new Error('did not fail with a StorageError', { cause: error });
  return error;
}

const JPEG = { contentType: 'image/jpeg' };
const hang = (request: IncomingMessage): void => void request.resume();

describe('errors', () => {
  test.each([
    [503, 'SlowDown', 'transient', 2],
    [500, 'InternalError', 'transient', 2],
    [503, 'ServiceUnavailable', 'transient', 2],
    [403, 'AccessDenied', 'needs-person', 1],
    [404, 'NoSuchBucket', 'needs-person', 1],
    [403, 'InvalidAccessKeyId', 'needs-person', 1],
    [403, 'SignatureDoesNotMatch', 'needs-person', 1],
    [400, 'KeyTooLongError', 'needs-person', 1],
  ] as const)('%i %s is classed %s after %i request(s)', async (status, code, kind, tries) => {
    const { storage, requests } = await failing(s3Error(status, code));
    expect(await failure(storage.put('k', Buffer.from('x'), JPEG))).toMatchObject({ kind, code });
    expect(requests).toHaveLength(tries);
  });

  test('a failed delete does not count as done; a missing object does', async () => {
    const denied = await failing(s3Error(403, 'AccessDenied'));
    expect(await failure(denied.storage.delete('k'))).toMatchObject({ kind: 'needs-person' });
    await denied.close();
    const gone = await failing(s3Error(404, 'NoSuchKey'));
    await expect(gone.storage.delete('k')).resolves.toBeUndefined();
  });

  test('HEAD answers without a body are classed by their status', async () => {
    const denied = await failing(s3Error(403, 'AccessDenied'));
    expect(await failure(denied.storage.exists('k'))).toMatchObject({
      kind: 'needs-person',
      code: 'AccessDenied',
    });
    expect(await failure(denied.storage.check())).toMatchObject({
      kind: 'needs-person',
      code: 'AccessDenied',
    });
    await denied.close();
    const away = await failing(s3Error(503, 'SlowDown'));
    expect(await failure(away.storage.check())).toMatchObject({
      kind: 'transient',
      code: 'ServiceUnavailable',
    });
  });

  test('a temporary 503 is retried within the call', async () => {
    let calls = 0;
    const { storage } = await failing((request, response) => {
      calls += 1;
      if (calls === 1) return s3Error(503, 'SlowDown')(request, response);
      request.resume();
      response.writeHead(200, { etag: '"x"' }).end();
    });
    await expect(storage.put('k', Buffer.from('x'), JPEG)).resolves.toBeUndefined();
  });

  test('an answer that is not S3 is classed too', async () => {
    const { storage } = await failing((request, response) => {
      request.resume();
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>');
    });
    expect(await failure(storage.get('k'))).toMatchObject({ kind: 'transient' });
  });
});

describe('no answer', () => {
  test('no server listens at the address', async () => {
    const { endpoint, close } = await failing(hang);
    await close();
    const keys = { region: 'us-east-1', accessKeyId: 'KEY', secretAccessKey: 'SECRET', bucket: 'b' };
    const storage = createObjectStorage({ endpoint, ...keys });
    expect(await failure(storage.check())).toMatchObject({ kind: 'transient', code: 'ECONNREFUSED' });
    await storage.close();
  });

  test('the connection is cut', async () => {
    const { storage, requests } = await failing((request) => request.socket.destroy());
    expect(await failure(storage.get('k'))).toMatchObject({ kind: 'transient', code: 'ECONNRESET' });
    expect(requests).toHaveLength(2);
  });

  test("a store that hangs fails at the timeout, the call's own one first", async () => {
    const { storage } = await failing(hang);
    const put = storage.put('k', Buffer.from('x'), { ...JPEG, timeoutMs: 50 });
    expect(await failure(put)).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
    await store?.close();
    const impatient = await failing(hang, 50);
    expect(await failure(impatient.storage.get('k'))).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
    expect(await failure(impatient.storage.check())).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
  });

  test('a body that stalls in the middle fails at the timeout', async () => {
    const { storage } = await failing((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '1000' }).write('half');
    });
    expect(await failure(storage.get('k', { timeoutMs: 100 }))).toMatchObject({
      kind: 'transient',
      code: 'TIMEOUT',
    });
    const { stream } = await storage.open('k', { timeoutMs: 100 });
    await expect(stream.toArray()).rejects.toThrow();
  });

  test('a body that ends early is transient', async () => {
    const { storage } = await failing((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy());
    });
    expect(await failure(storage.get('k'))).toMatchObject({ kind: 'transient' });
  });

  test("the caller's own abort rejects with the caller's reason", async () => {
    const { storage } = await failing(hang);
    const leaving = new AbortController();
    const put = storage.put('k', Buffer.from('x'), { ...JPEG, signal: leaving.signal });
    leaving.abort(new Error('lease lost'));
    await expect(put).rejects.toThrow('lease lost');
    await expect(storage.get('k', { signal: leaving.signal })).rejects.toThrow('lease lost');
  });
});

test('a long list is read page by page', async () => {
  const page = (keys: string[], next?: string): string =>
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>${
      next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
    }${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;
  const { storage, requests } = await failing((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/xml');
    response.end(request.url?.includes('continuation-token=t2') ? page(['c']) : page(['a', 'b'], 't2'));
  });
  const keys: string[] = [];
  for await (const key of storage.list('')) keys.push(key);
  expect(keys).toEqual(['a', 'b', 'c']);
  expect(requests).toHaveLength(2);
});

test('the error of a failed call contains no address, key or credentials', async () => {
  const { storage, endpoint } = await failing(s3Error(403, 'AccessDenied'));
  const error = await failure(storage.get('private/key.jpg'));
  const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of [endpoint, 'private/key', 'SECRET', 'X-Amz', 'Signature'])
    expect(shown).not.toContain(secret);
});
