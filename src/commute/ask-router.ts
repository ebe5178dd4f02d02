import type { RouterRequest } from './routing-service.ts';

/** Fifty times take 10 KB, an outline with a thousand corners 40 KB. */
const MOST_BYTES = 256 * 1024;

/**
 * One question to the operator's router. It follows no redirect, and reads no more than a bound.
 * @returns the answer's JSON
 * @throws Error when it is not a JSON document with status 200; the signal's reason
 */
export async function askRouter({ url, body }: RouterRequest, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(url, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`the router answered ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(`the router answered more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Error('the router answered no JSON');
  }
}
