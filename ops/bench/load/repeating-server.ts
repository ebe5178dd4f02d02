import { writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import type { FixedAnswer } from './fixed-answers-host.ts';
import { type MeasuredServer, startMeasuredServer } from './measured-server.ts';
import type { PlainRequest } from './request-bytes.ts';

const FRAMING = new Set([
  'date',
  'content-length',
  'transfer-encoding',
  'uwebsockets',
  'connection',
  'keep-alive',
]);

/** Bare uWebSockets.js that answers the requests as `url` does, without checks; with the size of the first body. */
export async function startRepeating(
  requests: readonly PlainRequest[],
  { url, scratch }: { url: string; scratch: string },
): Promise<MeasuredServer & { bodyBytes: number }> {
  const answers = await Promise.all(requests.map((request) => answerTo(url, request)));
  const file = join(scratch, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const server = await startMeasuredServer({
    entry: 'ops/bench/load/fixed-answers-host.ts',
    args: [file],
  });
  return { ...server, bodyBytes: Buffer.byteLength(answers[0]?.bodyBase64 ?? '', 'base64') };
}

async function answerTo(
  url: string,
  { method, path, headers = {}, body }: PlainRequest,
): Promise<FixedAnswer> {
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return {
    method,
    path: path.replace(/\?.*/, ''),
    status: `${response.status} ${STATUS_CODES[response.status]}`,
    headers: [...response.headers].filter(([name]) => !FRAMING.has(name)),
    bodyBase64: Buffer.from(await response.arrayBuffer()).toString('base64'),
  };
}
