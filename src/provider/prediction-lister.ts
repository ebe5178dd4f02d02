import type { ListedPrediction, PredictionLister, PredictionPages } from '../../supervisors/ports.ts';
import type { ReadPrediction } from '../wire/prediction-body.ts';
import { createPredictionCalls, type PredictionCallOptions } from './prediction-calls.ts';
import { viewOf } from './prediction-view.ts';

/**
 * The provider's list as the runtime's `PredictionLister` port: which of our purchases each prediction belongs to.
 * A list that was not read to its end is marked as incomplete; its entries are valid all the same.
 */

/** A hundred to a page: hours at the provider's highest rate of 600 creates a minute, and all that one scan can read. */
const MAX_PAGES = 2_000;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IN_CALLBACK = new RegExp(`/(${UUID})/?$`);
const ANYWHERE = new RegExp(UUID, 'g');

/** @returns the lister; it makes at most `MAX_PAGES` calls for one list */
export function createPredictionLister(options: PredictionCallOptions): PredictionLister & PredictionPages {
  const calls = createPredictionCalls(options);
  return {
    async *pages(range) {
      for await (const page of calls.newest({ ...range, maxPages: MAX_PAGES })) {
        if (typeof page === 'string') return;
        yield page.map(viewOf);
      }
    },
    async list(range) {
      const predictions: ListedPrediction[] = [];
      for await (const page of calls.newest({ ...range, maxPages: MAX_PAGES })) {
        if (page === 'too-long') {
          const error = new Error(`more than ${MAX_PAGES} pages`);
          options.reporter.problem('the list of predictions is too long to be read', error);
        }
        if (typeof page === 'string') return { predictions, complete: false };
        predictions.push(...page.map(listed));
      }
      return { predictions, complete: true };
    },
  };
}

function listed(body: ReadPrediction): ListedPrediction {
  const { predictionId, providerStatus } = viewOf(body);
  return { predictionId, providerStatus, attemptIds: attemptIdsOf(body), textJobId: textJobIdOf(body) };
}

/**
 * From the echoed callback URL, or from the address of the first input, whose query contains the attempt's id. The
 * second one is a picture that another attempt has made, and its path contains the id of that attempt.
 */
function attemptIdsOf({ webhook, input }: ReadPrediction): string[] {
  const [photo]: unknown[] = Array.isArray(input?.input_images) ? input.input_images : [];
  const inImages = typeof photo === 'string' ? (photo.match(ANYWHERE) ?? []) : [];
  const inCallback = IN_CALLBACK.exec(webhook ?? '')?.[1];
  return inCallback === undefined ? inImages : [inCallback, ...inImages];
}

/** The last line of a description's prompt contains the job's id; people may have written the text before it. */
export function textJobIdOf({ input }: ReadPrediction): string | null {
  if (input?.input_images !== undefined) return null;
  return typeof input?.prompt === 'string' ? (input.prompt.match(ANYWHERE)?.at(-1) ?? null) : null;
}
