import { type FeedAnswer, FeedError, type FeedSource } from './feed-reading.ts';

export const isCallerError = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

/** The longest wait that a feed may ask for. */
const LONGEST_WAIT_MS = 86_400_000;

/** @throws FeedError for an answer that no way of reading knows what to do with: busy, failing, redirecting */
export function requireAnswered(source: FeedSource, { status, retryAfter }: FeedAnswer, now: number): void {
  if (status === 429)
    throw new FeedError(
      'RATE_LIMITED',
      'the feed asks for a pause',
      waitIn(retryAfter, now) ?? source.profile.rates.pauseMs,
    );
  if (status >= 500 || status === 408)
    throw new FeedError('UNREACHABLE', `the feed answers with status ${status}`, waitIn(retryAfter, now));
  if (status < 200 || (status >= 300 && status < 400))
    throw new FeedError('REFUSED', `the feed answers with status ${status}`);
}

/** Seconds or a date, as milliseconds from now. */
function waitIn(text: string | null, now: number): number | null {
  if (text === null) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}
