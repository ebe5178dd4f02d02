import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import S3rver from 's3rver';
import account from 's3rver/lib/models/account.js';
import { refusalOf, type S3Keys, type S3Refusal } from './s3-signature.ts';

/**
 * S3 on 127.0.0.1 over plain files (`s3rver`), behind a gate that does what the package leaves out: every request must
 * be signed with the store's keys, and upload encodings that the package would store as if they were the content are
 * refused. Objects are files; a crash loses at most the request in flight.
 */
export interface ObjectStoreOptions {
  directory: string;
  /** Created when it does not exist. */
  bucket: string;
  /** 0 takes a free one. */
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
  const serve = store.callback();
  const server = createServer((request, response) => {
    const refusal = gate(request, keys);
    if (refusal) refuse(request, response, refusal);
    else serve(request, response);
  });
  return await listen(server, port);
}

function gate(request: IncomingMessage, keys: S3Keys): S3Refusal | undefined {
  const { method = '', url = '', headers } = request;
  if (String(headers['x-amz-content-sha256']).endsWith('-TRAILER')) {
    return {
      status: 501,
      code: 'NotImplemented',
      message: 'No trailing checksums here: set requestChecksumCalculation to WHEN_REQUIRED.',
    };
  }
  try {
    return refusalOf({ method, url, headers }, keys, Date.now());
  } catch (error) {
    return { status: 400, code: 'InvalidURI', message: String(error) };
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: S3Refusal,
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
