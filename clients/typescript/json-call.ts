import type { Call } from './sender.ts';

/** A plain JSON request. */
export function jsonCall(method: Call['method'], path: string, body: unknown): Call {
  return {
    method,
    path,
    contentType: 'application/json',
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}
