/** A request as it goes over the wire, and no more of it than an API client sends. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @returns the request as text in which each character is one byte */
export function requestBytes({ method, path, headers = {}, body }: PlainRequest): string {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
  return Buffer.from(text, 'utf8').toString('latin1');
}
