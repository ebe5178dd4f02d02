import type { ProviderPurchase } from '../../persistence/console/restore-check.ts';
import type { ProviderHttp } from '../../src/provider/http.ts';
import { createPredictionCalls } from '../../src/provider/prediction-calls.ts';
import type { ReadPrediction } from '../../src/wire/prediction-body.ts';

/** More than a day at the highest possible start rate (600 a minute), at a hundred per page. */
const MAX_PAGES = 10_000;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IN_CALLBACK = new RegExp(`/staging/(${UUID})/?$`);
const IN_INPUT_PATH = new RegExp(`/provider-inputs/(${UUID})/`);
/** The download's file name in the query of the input's URL. */
const IN_INPUT_QUERY = new RegExp(`(${UUID})\\.jpg`);

/**
 * Every purchase since then that contains our ids. No URL leaves this function.
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
  const calls = createPredictionCalls({ http, reporter });
  const purchases: ProviderPurchase[] = [];
  const signal = new AbortController().signal;
  const range = { createdAfter: since, createdBefore: Date.now(), maxPages: MAX_PAGES };
  for await (const page of calls.newest({ ...range, signal })) {
    if (page === 'too-long') return 'The list of predictions did not end; take a later --since.';
    if (page === 'unavailable')
      return `The provider's list of predictions could not be read${cause}. Check PROVIDER_BASE_URL and PROVIDER_API_TOKEN.`;
    purchases.push(...page.map(purchaseOf));
    progress(purchases.length);
  }
  return purchases;
}

/** Reads our ids from a prediction (callback and input contain the attempt's id). */
function purchaseOf({ id, webhook, input }: ReadPrediction): ProviderPurchase {
  const image = firstText(input?.input_images);
  return {
    predictionId: id,
    attemptId: match(IN_CALLBACK, webhook) ?? match(IN_INPUT_QUERY, image?.split('?')[1]),
    originalImageId: match(IN_INPUT_PATH, image?.split('?')[0]),
    prompt: typeof input?.prompt === 'string' ? input.prompt : null,
  };
}

function match(pattern: RegExp, text: string | null | undefined): string | null {
  return pattern.exec(text ?? '')?.[1] ?? null;
}

function firstText(value: unknown): string | null {
  return Array.isArray(value) && typeof value[0] === 'string' ? value[0] : null;
}
