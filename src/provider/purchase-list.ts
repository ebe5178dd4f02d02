import type { ListedPurchase, PurchaseLister } from '../../supervisors/ports.ts';
import type { ReadPrediction } from '../wire/prediction-body.ts';
import { createPredictionCalls, type PredictionCallOptions } from './prediction-calls.ts';
import { textJobIdOf } from './prediction-lister.ts';
import { viewOf } from './prediction-view.ts';

/** More than a day at the highest possible start rate (600 a minute), at a hundred per page. */
const MAX_PAGES = 10_000;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IN_CALLBACK = new RegExp(`/staging/(${UUID})/?$`);
const IN_INPUT_PATH = new RegExp(`/provider-inputs/(${UUID})/`);
/** The download's file name in the query of the input's URL. */
const IN_INPUT_QUERY = new RegExp(`(${UUID})\\.jpg`);

/**
 * The provider's list as purchases that contain our ids. No URL leaves this file.
 * @param callbacks the address under which this installation is called back; null when it is not known
 */
export function createPurchaseLister(
  options: PredictionCallOptions,
  callbacks: string | null,
): PurchaseLister {
  const calls = createPredictionCalls(options);
  return {
    async list({ createdAfter, createdBefore, signal, progress }) {
      const purchases: ListedPurchase[] = [];
      const range = { createdAfter, createdBefore, maxPages: MAX_PAGES };
      for await (const page of calls.newest({ ...range, signal })) {
        if (typeof page === 'string') return page;
        purchases.push(...page.map((one) => purchaseOf(one, callbacks)));
        progress?.(purchases.length);
      }
      return purchases;
    },
  };
}

/** Callback and input contain the attempt's id. */
function purchaseOf(body: ReadPrediction, callbacks: string | null): ListedPurchase {
  const { webhook, input } = body;
  const view = viewOf(body);
  const image = firstText(input?.input_images);
  return {
    predictionId: view.predictionId,
    providerStatus: view.providerStatus,
    isOver: view.kind !== 'unfinished',
    isOurs: callbacks !== null && (webhook ?? '').startsWith(`${callbacks}/`),
    attemptId: match(IN_CALLBACK, webhook) ?? match(IN_INPUT_QUERY, image?.split('?')[1]),
    originalImageId: match(IN_INPUT_PATH, image?.split('?')[0]),
    prompt: typeof input?.prompt === 'string' ? input.prompt : null,
    textJobId: textJobIdOf(body),
  };
}

function match(pattern: RegExp, text: string | null | undefined): string | null {
  return pattern.exec(text ?? '')?.[1] ?? null;
}

function firstText(value: unknown): string | null {
  return Array.isArray(value) && typeof value[0] === 'string' ? value[0] : null;
}
