import type { Pool } from 'pg';
import { unknownPurchases } from '../../persistence/jobs/purchase-standings.ts';
import { createProviderHttp } from '../../src/provider/http.ts';
import { createPurchaseLister } from '../../src/provider/purchase-list.ts';
import { AUDITED_MS } from '../../supervisors/sweepers/purchase-audit.ts';
import { judged, notAsked, type Verdict } from './verdict.ts';

const PURCHASES = {
  id: 'I41',
  sentence:
    "Every purchase of the provider's last hour that calls this installation back belongs to an attempt.",
};
const DEFAULT_PROVIDER = 'https://api.replicate.com';
const SILENT = { report() {}, alert() {}, transition() {}, count() {}, problem() {} };

/**
 * Compares the provider's list with the rows; only reads.
 * @param env the worker's settings for the provider; null leaves the question out
 */
export async function askProvider(
  pool: Pool,
  env: Record<string, string | undefined> | null,
): Promise<Verdict> {
  if (env === null) return notAsked(PURCHASES, 'asked with --provider');
  const { PROVIDER_API_TOKEN: apiToken = '', PROVIDER_WEBHOOK_BASE_URL: callbacks = '' } = env;
  const http = createProviderHttp({ baseUrl: env.PROVIDER_BASE_URL || DEFAULT_PROVIDER, apiToken });
  try {
    const lister = createPurchaseLister({ http, reporter: SILENT }, callbacks.replace(/\/+$/, ''));
    const createdBefore = Date.now();
    const { signal } = new AbortController();
    const listed = await lister.list({ createdAfter: createdBefore - AUDITED_MS, createdBefore, signal });
    if (typeof listed === 'string')
      return {
        ...PURCHASES,
        outcome: 'unanswered',
        lines: [],
        count: 0,
        note: "the provider's list could not be read",
      };
    const unknown = await unknownPurchases(pool, listed);
    const lines = unknown.map(({ predictionId }) => `no attempt knows prediction ${predictionId}`);
    return judged(PURCHASES, { lines, count: lines.length });
  } finally {
    await http.close();
  }
}
