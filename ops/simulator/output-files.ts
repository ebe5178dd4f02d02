import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type AppliedFault, numberOption, textOption } from './faults/fault-catalogue.ts';
import { sendJson } from './http-answers.ts';
import type { Ledger } from './ledger.ts';
import type { Clock, Prediction } from './prediction.ts';

const HUGE_BYTES = 25 * 1024 * 1024;
const HUGE_CHUNK = Buffer.alloc(64 * 1024, 0x55);

export interface OutputFiles {
  save(predictionId: string, files: { name: string; bytes: Buffer }[]): Promise<void>;
  remove(predictionId: string): Promise<void>;
  /** Answers a GET or HEAD of one file, faults included, and writes it into the ledger. */
  serve(request: FileRequest, res: ServerResponse): Promise<void>;
}

interface FileRequest {
  prediction: Prediction;
  name: string;
  /** True when the output has expired. */
  removed: boolean;
  /** The target of `output-redirect`: served without faults, so that the ledger shows whether a client followed it. */
  elsewhere: boolean;
  publicUrl: string;
  head: boolean;
}

/** Owns `files/{predictionId}/{name}` in the data folder: the generated pictures, until they expire. */
export function createOutputFiles(parts: { dataDir: string; ledger: Ledger; clock: Clock }): OutputFiles {
  const downloads = new WeakMap<Prediction, number>();
  /** The fault of this download; `options.downloads` is the number of downloads that it lasts for. */
  const takeFault = ({ prediction, head }: FileRequest): AppliedFault | undefined => {
    const fault = outputFault(prediction);
    const before = downloads.get(prediction) ?? 0;
    if (!head) downloads.set(prediction, before + 1);
    return fault && before < numberOption(fault, 'downloads', Number.MAX_SAFE_INTEGER) ? fault : undefined;
  };
  const folderOf = (predictionId: string) => path.join(parts.dataDir, 'files', predictionId);
  return {
    async save(predictionId, files) {
      await mkdir(folderOf(predictionId), { recursive: true });
      for (const file of files) await writeFile(path.join(folderOf(predictionId), file.name), file.bytes);
    },
    remove: (predictionId) => rm(folderOf(predictionId), { recursive: true, force: true }),
    async serve(request, res) {
      const fault = request.elsewhere ? undefined : takeFault(request);
      try {
        await answer(request, { res, fault, file: path.join(folderOf(request.prediction.id), request.name) });
      } catch {
        // The client disconnected before the end; the ledger entry below records it.
      }
      await parts.ledger.append({
        kind: 'download',
        at: parts.clock.now(),
        predictionId: request.prediction.id,
        path: request.elsewhere ? `elsewhere/${request.name}` : request.name,
        httpStatus: res.statusCode,
        bytes: sentBytes.get(res) ?? 0,
        complete: res.writableFinished,
        fault: fault?.name ?? null,
      });
    },
  };
}

/** Body bytes handed to each answer, for its ledger entry. */
const sentBytes = new WeakMap<ServerResponse, number>();

interface Serving {
  res: ServerResponse;
  fault: AppliedFault | undefined;
  file: string;
}

async function answer(request: FileRequest, { res, fault, file }: Serving): Promise<void> {
  const size = await sizeOf(file);
  const known = names(request.prediction).includes(request.name);
  if (!known || request.removed || size === null || fault?.name === 'output-gone') {
    sendJson(res, { status: 404, body: { detail: 'File not found', status: 404 } });
    return;
  }
  const head = { 'content-type': contentType(request.name), 'content-length': String(size) };
  if (request.head) {
    res.writeHead(200, head).end();
    return;
  }
  switch (fault?.name) {
    case 'output-redirect':
      res
        .writeHead(302, { location: textOption(fault, 'to', elsewhere(request)), 'content-length': '0' })
        .end();
      return;
    case 'output-huge':
      res.writeHead(200, { 'content-type': contentType(request.name) });
      return copy(hugeStream(numberOption(fault, 'bytes', HUGE_BYTES)), res);
    case 'output-truncated': {
      const half = Math.floor(size / 2);
      const reset = fault.options.reset === true;
      res.writeHead(200, reset ? head : { ...head, 'content-length': String(half) });
      await copy(createReadStream(file, { end: half - 1 }), res, !reset);
      if (reset) res.socket?.destroy();
      return;
    }
    case 'output-slow-drip':
      res.writeHead(200, head);
      return copy(dripStream(file, fault, goneSignal(res)), res);
    default:
      res.writeHead(200, { ...head, 'content-type': await sniffedType(file, request.name) });
      return copy(createReadStream(file), res);
  }
}

async function copy(source: Readable, res: ServerResponse, end = true): Promise<void> {
  source.on('data', (chunk: Buffer) => sentBytes.set(res, (sentBytes.get(res) ?? 0) + chunk.length));
  await pipeline(source, res, { end });
}

function outputFault(prediction: Prediction): AppliedFault | undefined {
  return prediction.faults.find((fault) => fault.name.startsWith('output-'));
}

function names(prediction: Prediction): string[] {
  return prediction.output?.kind === 'files' ? prediction.output.names : [];
}

/** The same path under another host name, so that a client that follows the redirect is served and recorded. */
function elsewhere(request: FileRequest): string {
  const url = new URL(`${request.publicUrl}/files/${request.prediction.id}/elsewhere/${request.name}`);
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return url.href;
}

function hugeStream(total: number): Readable {
  return Readable.from(
    (function* () {
      for (let sent = 0; sent < total; sent += HUGE_CHUNK.length) {
        yield HUGE_CHUNK.subarray(0, Math.min(HUGE_CHUNK.length, total - sent));
      }
    })(),
  );
}

function dripStream(file: string, fault: AppliedFault, signal: AbortSignal): Readable {
  const bytesPerTick = numberOption(fault, 'bytesPerTick', 64);
  const tickMs = numberOption(fault, 'tickMs', 1000);
  return Readable.from(
    (async function* () {
      for await (const chunk of createReadStream(file, { highWaterMark: bytesPerTick })) {
        yield chunk;
        await delay(tickMs, undefined, { signal });
      }
    })(),
  );
}

/** Aborts when the client disconnects, so that no tick is awaited in vain. */
function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch {
    return null;
  }
}

function contentType(name: string): string {
  return `image/${path.extname(name).slice(1)}`;
}

/** The type of the file's real content: `output-wrong-type` stores another format under the requested name. */
async function sniffedType(file: string, name: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer[0] === 0x89) return 'image/png';
    if (buffer[0] === 0xff) return 'image/jpeg';
    return buffer[0] === 0x3c ? 'text/html' : contentType(name);
  } finally {
    await handle.close();
  }
}
