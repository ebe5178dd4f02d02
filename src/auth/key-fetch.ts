import type { FetchImplementation } from 'jose';

/** Google's and Apple's key sets are about two kilobytes. */
const MAX_KEYS_BYTES = 64 * 1024;

/**
 * Fetch for key sets: no redirects (jose asks for `redirect: 'manual'` and takes 200 only), and not a byte more than a
 * key set has. The caller's signal bounds the time, the body's included.
 */
export const fetchKeys: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    return new Response(null, { status: 502 });
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_KEYS_BYTES) throw new Error('the key set is too large');
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks));
};
