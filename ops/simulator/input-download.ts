import { type Agent, fetch } from 'undici';
import { PredictionFailure } from './models/prediction-failure.ts';

const DOWNLOAD_TIMEOUT_MS = 20_000;
const DOWNLOAD_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Fetches an input photo the way the provider does: redirects followed, `data:` accepted.
 * @throws PredictionFailure whose text names the address without its query (a signature may be in it).
 */
export async function downloadInput(agent: Agent, address: string): Promise<Buffer> {
  const shown = describe(address);
  try {
    const answer = await fetch(address, {
      dispatcher: agent,
      signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new PredictionFailure(`${answer.status} ${answer.statusText} for url: ${shown}`);
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (bytes.length > DOWNLOAD_LIMIT_BYTES) throw new PredictionFailure(`File too large for url: ${shown}`);
    return bytes;
  } catch (error) {
    if (error instanceof PredictionFailure) throw error;
    throw new PredictionFailure(`Failed to download input image: connection error for url: ${shown}`);
  }
}

function describe(address: string): string {
  const url = new URL(address);
  return url.protocol === 'data:' ? 'data:' : `${url.origin}${url.pathname}`;
}
