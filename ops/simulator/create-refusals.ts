import { unauthenticated } from './authentication.ts';
import { invalid } from './create-request.ts';
import { type AppliedFault, numberOption } from './fault-catalogue.ts';
import { HttpProblem } from './http-answers.ts';

const DEFAULT_WAIT_S = 5;

/**
 * The answer of a fault that refuses without buying; undefined for faults of another kind. Bodies:
 * docs/provider.md#errors.
 */
export function refusalOf(fault: AppliedFault): HttpProblem | undefined {
  const seconds = numberOption(fault, 'seconds', DEFAULT_WAIT_S);
  switch (fault.name) {
    case 'refuse-503': {
      const retryAfter = numberOption(fault, 'retryAfter', 0);
      const headers: Record<string, string> = retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {};
      return new HttpProblem(503, { detail: 'Service unavailable', status: 503 }, headers);
    }
    case 'throttle-header':
      return new HttpProblem(429, { detail: 'Request was throttled.' }, { 'retry-after': String(seconds) });
    case 'throttle-body':
      return new HttpProblem(429, { detail: lowCreditText(seconds), status: 429, retry_after: seconds });
    case 'throttle-text':
      return new HttpProblem(429, {
        detail: `Request was throttled. Your rate limit resets in ~${seconds}s.`,
      });
    case 'unauthorized':
      return numberOption(fault, 'status', 401) === 403
        ? new HttpProblem(403, { title: 'Forbidden', detail: 'You do not have permission.', status: 403 })
        : unauthenticated();
    case 'billing':
      return new HttpProblem(402, { title: 'Insufficient credit', detail: creditText() });
    case 'invalid-input':
      return invalidInput(numberOption(fault, 'status', 422));
    default:
      return undefined;
  }
}

function invalidInput(status: number): HttpProblem {
  const refused = invalid([{ type: 'required', field: 'input', description: 'prompt is required' }]);
  if (status === 422) return refused;
  return new HttpProblem(status, { title: 'Bad request', detail: 'The request was refused.', status });
}

function lowCreditText(seconds: number): string {
  const limit =
    'reduced to 6 requests per minute with a burst of 1 requests while you have less than $5.0 in credit';
  return `Request was throttled. Your rate limit for creating predictions is ${limit}. Your rate limit resets in ~${seconds}s.`;
}

function creditText(): string {
  return 'You have insufficient credit to run this model. Go to https://replicate.com/account/billing#billing to purchase credit.';
}
