import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createObjectStorage, type ObjectStorage } from '../../../src/storage/object-storage.ts';

export interface FailingStore {
  storage: ObjectStorage;
  endpoint: string;
  /** `METHOD /path?query` of every request so far. */
  requests: string[];
  close(): Promise<void>;
}

/** An S3 server on loopback with answers set by the test, and an object storage connected to it. */
export async function startFailingStore(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  timeoutMs = 10_000,
): Promise<FailingStore> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { region: 'us-east-1', accessKeyId: 'KEY', secretAccessKey: 'SECRET', bucket: 'b' };
  const storage = createObjectStorage({ endpoint, ...keys, timeoutMs });
  return {
    storage,
    endpoint,
    requests,
    async close() {
      storage.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An S3 error; a HEAD request gets the status only, as from a real store. */
export function s3Error(status: number, code: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/xml' });
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}
