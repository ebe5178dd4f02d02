import type { ProviderPurchase } from '../../persistence/jobs/purchase-standings.ts';
import type { ProviderHttp } from '../../src/provider/http.ts';
import { createPurchaseLister } from '../../src/provider/purchase-list.ts';

/**
 * Every purchase since then that contains our ids.
 * @param since Unix milliseconds
 * @returns the purchases, newest first, or a sentence that says why they could not be read completely
 */
export async function purchasesSince(
  http: ProviderHttp,
  since: number,
  progress: (seen: number) => void,
): Promise<ProviderPurchase[] | string> {
  let cause = '';
  const note = (error: unknown) => {
    cause = error instanceof Error ? `: ${error.message}` : '';
  };
  const reporter = {
    report() {},
    alert() {},
    transition() {},
    count() {},
    problem: (_: string, e: unknown) => note(e),
  };
  const { signal } = new AbortController();
  const range = { createdAfter: since, createdBefore: Date.now(), signal, progress };
  const listed = await createPurchaseLister({ http, reporter }, null).list(range);
  if (listed === 'too-long') return 'The list of predictions did not end; take a later --since.';
  if (listed === 'unavailable')
    return `The provider's list of predictions could not be read${cause}. Check PROVIDER_BASE_URL and PROVIDER_API_TOKEN.`;
  return listed;
}
