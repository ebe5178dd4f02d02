import { NetworkError } from '../../../../typescript/errors.ts';
import type { TransportResponse } from '../../../../typescript/transport.ts';
import { personHeader } from '../../../api/browser-sender.ts';
import type { ImageOf, RoomType } from '../studio-queries.ts';

export interface PhotoToSend {
  /** Who has chosen it. */
  readonly personId: string;
  readonly key: string;
  readonly propertyId: string;
  readonly name: string;
  readonly file: Blob;
  readonly roomType: RoomType | null;
  /** What it shows, if it is no room; uploads that an older page left have none. */
  readonly imageOf?: ImageOf | null;
}

/** The server answers within six minutes, whatever the line and the photo. */
const TIMEOUT_MS = 400_000;

/**
 * Sends a photo once, whole. The browser reads the file from the disk while it sends. `fetch` tells nothing of how far
 * a body has come, so this is an XMLHttpRequest.
 * @param onSent called with the share that has been sent, 0 to 1
 * @throws NetworkError when no answer came
 */
export function sendPhoto(
  photo: PhotoToSend,
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent: (share: number) => void },
): Promise<TransportResponse> {
  const form = new FormData();
  form.append('propertyId', photo.propertyId);
  if (photo.roomType !== null) form.append('roomType', photo.roomType);
  if (photo.imageOf) form.append('imageOf', photo.imageOf);
  // Last: the server checks whose listing it is before it reads the file.
  form.append('file', photo.file, photo.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const end = (settle: () => void) => () => {
      signal.removeEventListener('abort', stop);
      settle();
    };
    request.open('POST', '/api/property-images');
    request.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(personHeader(photo.personId)))
      request.setRequestHeader(name, value);
    request.setRequestHeader('idempotency-key', photo.key);
    request.responseType = 'arraybuffer';
    request.timeout = TIMEOUT_MS;
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total);
    request.onload = end(() => resolve(answerOf(request)));
    request.onerror = end(() => reject(new NetworkError(1, {})));
    request.ontimeout = end(() => reject(new NetworkError(1, {})));
    request.onabort = end(() => reject(signal.reason));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) return reject(signal.reason);
    request.send(form);
  });
}

function answerOf(request: XMLHttpRequest): TransportResponse {
  const headers = request
    .getAllResponseHeaders()
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
  return { status: request.status, headers, body: new Uint8Array(request.response as ArrayBuffer) };
}
