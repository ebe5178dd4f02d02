import {
  type FeedAnswer,
  type FeedPorts,
  type FeedRequest,
  type FeedSource,
  NoPlaceError,
} from './feed-reading.ts';
import { requireAnswered } from './statuses.ts';

/** One request in a place of the feed's rate. @throws FeedError */
export async function send(
  source: FeedSource,
  { rate, fetch, now, signal }: FeedPorts,
  request: Omit<FeedRequest, 'signal' | 'received'>,
): Promise<FeedAnswer> {
  const taken = await rate.take();
  if ('waitMs' in taken) throw new NoPlaceError(taken.waitMs);
  let bytes = 0;
  try {
    const answer = await fetch({
      ...request,
      headers: { ...source.profile.headers, ...request.headers },
      signal,
      received: (more) => {
        bytes += more;
      },
    });
    requireAnswered(source, answer, now());
    return answer;
  } finally {
    await rate.release(taken.place, bytes);
  }
}
