import { PublicError } from '../errors/errors.ts';
import type { HttpHeader, HttpRequest, HttpResponse, Route } from '../http/message.ts';
import type { Asset, StoredBytes } from './bundle.ts';

/** A year, and never asked for again: another content has another name. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Reads files that anyone has made, with nothing but its own library. A worker has the policy of its file. */
const FILE_CHECK = /^assets\/check-worker-[\w-]+\.js$/;
const FILE_CHECK_POLICY: HttpHeader = [
  'content-security-policy',
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
];

/**
 * The files of the built site. The addresses under `/assets` hold a hash, so that each is loaded once by each browser.
 */
export function assetRoutes(assets: ReadonlyMap<string, Asset>): Route[] {
  return [
    {
      methods: ['GET'],
      path: '/assets/*',
      varies: ['Accept-Encoding'],
      // One page loads a dozen files; they cost no more than the bytes.
      isUngated: true,
      handler: async (request) => {
        const name = `assets/${request.params['*']}`;
        const asset = assets.get(name);
        if (asset === undefined) throw new PublicError('NOT_FOUND');
        const answer = await answerWith(asset, request);
        return FILE_CHECK.test(name)
          ? { ...answer, headers: [...answer.headers, FILE_CHECK_POLICY] }
          : answer;
      },
    },
  ];
}

async function answerWith(asset: Asset, request: HttpRequest): Promise<HttpResponse> {
  const [encoding, bytes] = encodedFor(asset, request.headers.get('accept-encoding'));
  const headers: HttpHeader[] = [
    ['content-type', asset.type],
    ['cache-control', FOR_EVER],
  ];
  if (encoding !== null) headers.push(['content-encoding', encoding]);
  return { status: 200, headers, body: await bytes() };
}

/** The smallest form that the browser takes. */
function encodedFor(
  { plain, brotli, gzip }: Asset,
  accepted: string | undefined,
): readonly ['br' | 'gzip' | null, StoredBytes] {
  if (brotli !== null && acceptsEncoding(accepted, 'br')) return ['br', brotli];
  if (gzip !== null && acceptsEncoding(accepted, 'gzip')) return ['gzip', gzip];
  return [null, plain];
}

/** Whether an Accept-Encoding header names a coding without refusing it by `q=0`. */
export function acceptsEncoding(header: string | undefined, coding: string): boolean {
  return (header ?? '').split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
