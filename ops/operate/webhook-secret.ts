import { isWebhookSecret, originOr } from '../../src/config/fields.ts';
import { createProviderHttp, NeverSentError, type ProviderAnswer } from '../../src/provider/http.ts';
import { type Command, DONE, NOT_DONE, NOT_UNDERSTOOD } from './run-operation.ts';

/**
 * Fetches the secret with which the provider signs callbacks (docs/provider.md#callbacks-of-the-provider) and
 * prints it once, alone on standard output, for the API host. It is never logged, stored or shown in an error.
 */
export const SECRET_HELP = `Usage: PROVIDER_API_TOKEN=… [PROVIDER_BASE_URL=…] npm run --silent ops -- fetch-webhook-secret

Prints the provider's webhook signing secret, once, on standard output. Set it as PROVIDER_WEBHOOK_SIGNING_SECRET on the
API host; the worker must not have it. While secrets are rotated, set the old and the new one with a blank between.
`;
const PATH = '/v1/webhooks/default/secret';
const TIMEOUT_MS = 15_000;
const baseUrlField = originOr('https://api.replicate.com').schema;

export interface SecretAsking extends Pick<Command, 'environment' | 'screen'> {
  signal: AbortSignal;
  timeoutMs?: number;
}

export async function fetchWebhookSecret(asking: SecretAsking): Promise<number> {
  const { environment, screen, signal, timeoutMs = TIMEOUT_MS } = asking;
  const apiToken = environment.PROVIDER_API_TOKEN;
  const parsed = baseUrlField.safeParse(environment.PROVIDER_BASE_URL || undefined);
  const problems = [
    ...(apiToken ? [] : ['PROVIDER_API_TOKEN is not set. Give the token that the worker uses.']),
    ...(parsed.success
      ? []
      : ['PROVIDER_BASE_URL must be an https origin without a path (http only on loopback).']),
  ];
  if (!parsed.success || !apiToken) {
    for (const problem of problems) screen.err(problem);
    return NOT_UNDERSTOOD;
  }
  const baseUrl = parsed.data;
  const http = createProviderHttp({ baseUrl, apiToken });
  try {
    const answer = await http.call({ method: 'GET', path: PATH, timeoutMs, signal });
    const key = keyOf(answer);
    if (key === null) {
      screen.err(`No secret: ${whyNot(answer, baseUrl)}`);
      return NOT_DONE;
    }
    screen.out(key);
    screen.err('Set it as PROVIDER_WEBHOOK_SIGNING_SECRET on the API host. It is not shown again.');
    return DONE;
  } catch (error) {
    screen.err(`No secret: ${whyNoAnswer(error, baseUrl)}`);
    return NOT_DONE;
  } finally {
    await http.close();
  }
}

function keyOf({ status, body }: ProviderAnswer): string | null {
  if (status !== 200 || typeof body !== 'object' || body === null || !('key' in body)) return null;
  return typeof body.key === 'string' && isWebhookSecret(body.key) ? body.key : null;
}

function whyNot({ status }: ProviderAnswer, baseUrl: string): string {
  if (status === 200)
    return 'the answer has no key that begins with whsec_. Check PROVIDER_BASE_URL, and ask the provider.';
  if (status === 401 || status === 403)
    return `${baseUrl} refuses the token (${status}). Check PROVIDER_API_TOKEN: whole, of the right account, not revoked.`;
  if (status === 404) return `${baseUrl} has no ${PATH} (404). Check PROVIDER_BASE_URL.`;
  if (status === 429) return `${baseUrl} asks for patience (429). Try again in a minute.`;
  if (status >= 500) return `${baseUrl} has a problem of its own (${status}). Try again later.`;
  return `${baseUrl} answers ${status}, which this command does not expect. Check PROVIDER_BASE_URL.`;
}

function whyNoAnswer(error: unknown, baseUrl: string): string {
  if (error instanceof NeverSentError)
    return `${baseUrl} cannot be reached (${codeOf(error.cause)}). Check the name, the network and the certificate.`;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `${baseUrl} does not answer in time. Try again later.`;
  return `the answer of ${baseUrl} was lost (${codeOf(error)}). Try again.`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
