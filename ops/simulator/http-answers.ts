import type { IncomingMessage, ServerResponse } from 'node:http';

/** Inline input images make create bodies large; larger ones are rejected with 413. */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** An error that becomes an HTTP answer in the provider's problem shape (docs/provider.md#errors). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The common problem body: title, detail, status. */
export function problem(status: number, title: string, detail: string): HttpProblem {
  return new HttpProblem(status, { title, detail, status });
}

export function notFound(): HttpProblem {
  return new HttpProblem(404, { detail: 'The requested resource could not be found.', status: 404 });
}

export function sendJson(
  res: ServerResponse,
  answer: { status: number; body: unknown; headers?: Record<string, string> },
): void {
  sendBytes(res, { ...answer, bytes: Buffer.from(JSON.stringify(answer.body)), type: 'application/json' });
}

export function sendBytes(
  res: ServerResponse,
  answer: { status: number; bytes: Buffer; type: string; headers?: Record<string, string> },
): void {
  res.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': String(answer.bytes.length),
    ...answer.headers,
  });
  res.end(answer.bytes);
}

/** @throws HttpProblem 413 above the limit, 400 when the caller disconnects before the end. */
export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      size += chunk.length;
      // The rest of a body above the limit is still read: closing early would reset the connection before the
      // answer arrives.
      if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    throw problem(400, 'Bad request', 'The request body was cut off.');
  }
  if (size > BODY_LIMIT_BYTES) throw problem(413, 'Payload too large', `Limit is ${BODY_LIMIT_BYTES} bytes.`);
  return Buffer.concat(chunks);
}

/** @throws HttpProblem 415 for another content type, 400 for any body that is not a JSON object. */
export function parseJsonObject(req: IncomingMessage, bytes: Buffer): Record<string, unknown> {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json') {
    throw problem(415, 'Unsupported media type', 'Send application/json.');
  }
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw problem(400, 'Bad request', 'The request body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw problem(400, 'Bad request', 'The request body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

export function unauthenticated(detail = 'You did not pass a valid authentication token'): HttpProblem {
  return new HttpProblem(401, { title: 'Unauthenticated', detail, status: 401 });
}
