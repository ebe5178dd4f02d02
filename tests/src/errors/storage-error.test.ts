import { describe, expect, test } from 'vitest';
import { StorageError, storageErrorFrom } from '../../../src/errors/storage-error.ts';

const answer = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error('see https://store.example/key?X-Amz-Signature=abc'), {
    name,
    $metadata: { httpStatusCode },
  });
const socket = (code: string): Error => Object.assign(new Error(`connect ${code} 10.0.0.1:9000`), { code });

describe('the kind for the caller', () => {
  test.each([
    [answer('NoSuchKey', 404), 'missing', 'NoSuchKey'],
    [answer('NotFound', 404), 'missing', 'NotFound'],
    [answer('NoSuchBucket', 404), 'needs-person', 'NoSuchBucket'],
    [answer('AccessDenied', 403), 'needs-person', 'AccessDenied'],
    [answer('InvalidAccessKeyId', 403), 'needs-person', 'InvalidAccessKeyId'],
    [answer('SignatureDoesNotMatch', 403), 'needs-person', 'SignatureDoesNotMatch'],
    [answer('RequestTimeTooSkewed', 403), 'needs-person', 'RequestTimeTooSkewed'],
    [answer('403', 403), 'needs-person', 'AccessDenied'],
    [answer('KeyTooLongError', 400), 'needs-person', 'KeyTooLongError'],
    [answer('InvalidArgument', 400), 'needs-person', 'InvalidArgument'],
    [answer('PermanentRedirect', 301), 'needs-person', 'PermanentRedirect'],
    [answer('QuotaExceeded', 507), 'needs-person', 'QuotaExceeded'],
    [answer('RequestTimeout', 400), 'transient', 'RequestTimeout'],
    [answer('OperationAborted', 409), 'transient', 'OperationAborted'],
    [answer('SlowDown', 503), 'transient', 'SlowDown'],
    [answer('InternalError', 500), 'transient', 'InternalError'],
    [answer('503', 503), 'transient', 'ServiceUnavailable'],
    [answer('Unknown', 502), 'transient', 'HTTP_502'],
    [answer('TooManyRequestsException', 429), 'transient', 'TooManyRequestsException'],
    [answer('SyntaxError', 200), 'transient', 'SyntaxError'],
    [socket('ECONNREFUSED'), 'transient', 'ECONNREFUSED'],
    [socket('ECONNRESET'), 'transient', 'ECONNRESET'],
    [socket('ENOTFOUND'), 'transient', 'ENOTFOUND'],
    [socket('CERT_HAS_EXPIRED'), 'needs-person', 'CERT_HAS_EXPIRED'],
    [socket('DEPTH_ZERO_SELF_SIGNED_CERT'), 'needs-person', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [Object.assign(new Error('timed out'), { name: 'TimeoutError' }), 'transient', 'TIMEOUT'],
    [new Error('strange'), 'transient', 'HTTP_UNKNOWN'],
    ['not even an error', 'transient', 'HTTP_UNKNOWN'],
    [null, 'transient', 'HTTP_UNKNOWN'],
  ])('%s -> %s %s', (error, kind, code) => {
    expect(storageErrorFrom(error, 'put')).toMatchObject({ kind, code });
  });
});

test('the message names operation, code and kind, and contains nothing of the answer', () => {
  expect(storageErrorFrom(answer('AccessDenied', 403), 'put').message).toBe(
    'object storage put: AccessDenied (needs-person)',
  );
  const chatty = storageErrorFrom(answer('https://store/key?X-Amz-Signature=abc', 400), 'get');
  expect(JSON.stringify([chatty.message, chatty.code, chatty.cause ?? null])).not.toContain('Amz');
});

test('an error that is already classified stays unchanged', () => {
  const classed = new StorageError('missing', 'NoSuchKey', 'get');
  expect(storageErrorFrom(classed, 'delete')).toBe(classed);
});
