import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { type Reading, readAnswer, readFailure, type WebhookAnswer } from './webhook-answer.ts';

/** Sends the receiver of callbacks an unsigned one, and reads how it is rejected (docs/contract.md#callbacks). */
const MAX_BODY_BYTES = 64 * 1024;
const PATH = '/api/webhooks/provider/staging/';

/** An address of the receiver that belongs to no attempt. */
export const probedAddress = (origin: string): string => `${origin}${PATH}${randomUUID()}`;

/** Never rejects. */
export async function probeReceiver(url: string, signal: AbortSignal): Promise<Reading> {
  // A separate connection for each probe, as the provider opens one.
  const agent = new Agent({ pipelining: 0 });
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: { 'content-type': 'application/json', 'user-agent': 'proscenium-probe' },
      body: JSON.stringify({ id: 'probe', status: 'succeeded' }),
    });
    const header = (name: string) => [answer.headers[name]].flat()[0];
    const read: WebhookAnswer = {
      status: answer.statusCode,
      contentType: header('content-type'),
      location: header('location'),
      asksForLogin: header('www-authenticate') !== undefined,
      text: await beginningOf(answer.body),
    };
    return readAnswer(read, url);
  } catch (error) {
    return readFailure(signal.aborted ? signal.reason : error);
  } finally {
    await agent.destroy();
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
