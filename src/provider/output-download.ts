import type { Readable } from 'node:stream';
import { isLoopbackHost } from '../config/host-rules.ts';
import { MAX_OUTPUT_BYTES } from '../images/decoding/picture-bounds.ts';
import { limitTime } from '../time.ts';

/**
 * Which addresses an output may be fetched from (docs/contract.md#output-checks): https (http only on loopback),
 * and a host in `PROVIDER_OUTPUT_HOSTS`; `*.example.org` allows every name below it.
 */
function isAllowedOutputUrl(url: URL, allowedHosts: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) return false;
  return allowedHosts.some((allowed) => hostMatches(url, allowed.toLowerCase()));
}

/** Whether a refused host, with its port if it named one, is in `PROVIDER_OUTPUT_HOSTS` by now. */
export function isAllowedOutputHost(host: string, allowedHosts: readonly string[]): boolean {
  const url = URL.parse(`https://${host}`);
  return url !== null && allowedHosts.some((allowed) => hostMatches(url, allowed.toLowerCase()));
}

/** The API token is sent with a download only to the provider's own delivery hosts, over https. */
function mayCarryToken(url: URL): boolean {
  const host = url.hostname;
  return url.protocol === 'https:' && (host === 'replicate.delivery' || host.endsWith('.replicate.delivery'));
}

function hostMatches(url: URL, allowed: string): boolean {
  if (allowed.startsWith('*.')) return url.hostname.endsWith(allowed.slice(1));
  return allowed === url.hostname || allowed === url.host;
}

/**
 * Downloads one output within limits: allowed hosts only, also after a redirect; 20 MiB, counted from the received
 * bytes and not from a header; and a timeout for the whole download. Source: docs/contract.md#output-checks.
 */
const DOWNLOAD_TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 3;

export type Download =
  | { kind: 'bytes'; bytes: Buffer }
  /** `bytes` were read before the download was aborted. */
  | { kind: 'too-large'; bytes: number }
  | { kind: 'host-refused'; host: string }
  /** The address answered 404. */
  | { kind: 'missing' }
  | { kind: 'failed'; why: string };

export async function downloadOutput(
  outputUrl: string,
  options: { allowedHosts: readonly string[]; apiToken: string; signal: AbortSignal },
): Promise<Download> {
  if (outputUrl.startsWith('data:')) return decodeDataUri(outputUrl);
  const { request } = await import('undici');
  const limit = limitTime(DOWNLOAD_TIMEOUT_MS, options.signal);
  try {
    let url = new URL(outputUrl);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      if (!isAllowedOutputUrl(url, options.allowedHosts)) return { kind: 'host-refused', host: url.host };
      const answer = await request(url, {
        method: 'GET',
        signal: limit.signal,
        headers: mayCarryToken(url) ? { authorization: `Bearer ${options.apiToken}` } : {},
      });
      if (answer.statusCode === 200) return await readBounded(answer.body);
      discard(answer.body);
      if (answer.statusCode === 404) return { kind: 'missing' };
      const { location } = answer.headers;
      if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string')
        return { kind: 'failed', why: `status ${answer.statusCode}` };
      url = new URL(location, url);
    }
    return { kind: 'failed', why: 'too many redirects' };
  } catch (error) {
    // The URL is signed, so neither it nor a message that may quote it is returned.
    return { kind: 'failed', why: error instanceof Error ? error.name : 'unknown' };
  } finally {
    limit.release();
  }
}

/** Ends a body that is not read. Its abort emits an error event, which would end the process without a listener. */
function discard(body: Readable): void {
  body.on('error', () => {}).destroy();
}

async function readBounded(body: Readable): Promise<Download> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_OUTPUT_BYTES) {
      discard(body);
      return { kind: 'too-large', bytes: size };
    }
    chunks.push(chunk);
  }
  return { kind: 'bytes', bytes: Buffer.concat(chunks) };
}

function decodeDataUri(uri: string): Download {
  const match = /^data:[^,;]*(;[^,;]*)*;base64,/.exec(uri);
  if (!match) return { kind: 'failed', why: 'data URI without base64' };
  const text = uri.slice(match[0].length);
  if (text.length > (MAX_OUTPUT_BYTES / 3) * 4 + 4)
    return { kind: 'too-large', bytes: Math.floor((text.length / 4) * 3) };
  return { kind: 'bytes', bytes: Buffer.from(text, 'base64') };
}
