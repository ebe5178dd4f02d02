import { NetworkError } from '../../../../typescript/errors.ts';
import { type BrowserSender, personHeader } from '../../../api/browser-sender.ts';
import { createEntryCounter } from './zip-entries.ts';

/** The browser may move what has arrived out of the page's memory in parts of this size, in bytes. */
const PART = 16 * 1024 * 1024;

export interface ExportRequest {
  readonly href: string;
  readonly personId: string;
  readonly sender: Pick<BrowserSender, 'settled' | 'unreachable'>;
  readonly signal: AbortSignal;
  /** Called when another file has arrived. */
  readonly onFile: (files: number, of: number) => void;
}

/**
 * Fetches an export as a file with its name.
 * @throws ApiError, NetworkError, or the signal's reason
 */
export async function readExport({ href, personId, sender, signal, onFile }: ExportRequest): Promise<{
  readonly file: Blob;
  readonly name: string;
}> {
  const response = await reached(() =>
    fetch(href, {
      headers: { accept: 'application/json, application/zip', ...personHeader(personId) },
      credentials: 'same-origin',
      redirect: 'manual',
      signal,
    }),
  );
  if (!response.ok || response.body === null) {
    const body = new Uint8Array(await reached(() => response.arrayBuffer()));
    sender.settled({ status: response.status, headers: [...response.headers], body });
    throw new NetworkError(1, {});
  }
  const all = Number(response.headers.get('x-export-files'));
  const count = createEntryCounter();
  const parts: Blob[] = [];
  let arrived: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const pack = (): void => {
    parts.push(new Blob(arrived));
    arrived = [];
    bytes = 0;
  };
  const reader = response.body.getReader();
  let files = 0;
  for (;;) {
    const { done, value } = await reached(() => reader.read());
    if (done) break;
    arrived.push(value);
    bytes += value.length;
    if (bytes >= PART) pack();
    const now = count(value);
    if (now !== files) onFile(now, all);
    files = now;
  }
  pack();
  // A proxy may end an answer properly that the server has broken off.
  if (files !== all) throw new NetworkError(1, {});
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { file: new Blob(parts, { type: 'application/zip' }), name: name ?? 'export.zip' };

  async function reached<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      sender.unreachable();
      throw new NetworkError(1, { cause: error });
    }
  }
}
