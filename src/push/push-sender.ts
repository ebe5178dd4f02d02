import type { Pool } from 'pg';
import {
  type NoticeKind,
  type PushNotice,
  postpone,
  pushNotices,
  writtenAt,
} from '../../persistence/push/push-notices.ts';
import { liveSubscription, removeDead, takeSendOfHour } from '../../persistence/push/push-subscriptions.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { MailedSite } from '../mail/mailed-site.ts';
import type { SearchTerms } from '../search/criteria.ts';
import { wordsOf } from './notice-words.ts';
import type { PushClient } from './push-client.ts';

export interface PushSenderPorts {
  readonly pool: Pool;
  /** Null without keys: then nothing is sent, and what waits is removed. */
  readonly push: { readonly client: PushClient; readonly serverKey: string } | null;
  readonly site: MailedSite;
  /** Of saved searches that name none. */
  readonly units: SearchTerms['site'];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly reporter: Reporter;
  /** Milliseconds. */
  readonly intervalMs: number;
}

/** At once, of different browsers; one that answers slowly holds back no more than these. */
const PAGE = 8;
/** Over about an hour. */
const MOST_ATTEMPTS = 6;
/** What a service asks for is kept to these. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;
/** An older notice is news to no one. */
const OLDEST_MS = 86_400_000;
/** Sends to one browser in an hour, tries included. */
export const NOTICES_PER_HOUR = 30;

type Taken = PushNotice & { readonly attempts: number };

/**
 * Sends the push notices that are due (docs/contract.md#push-notices). A notice is sent at least once: a sender that dies
 * after sending and before removing the row leaves it to be sent again, and its topic and tag let it take the place of
 * the first.
 */
export function createPushSender(ports: PushSenderPorts): Sweeper {
  const { pool, clock, reporter } = ports;
  const sendOne = async (notice: Taken): Promise<void> => {
    try {
      await settle(ports, notice);
    } catch (error) {
      giveUpLate(reporter, notice, error);
      if (notice.attempts >= MOST_ATTEMPTS) await pushNotices.remove(pool, notice);
    }
  };
  return createSweeper({
    ...ports,
    name: 'push-notices',
    async sweep(draining) {
      while (!draining.aborted) {
        const notices = await pushNotices.take(pool, { at: clock.now(), limit: PAGE });
        await Promise.all(notices.map(sendOne));
        if (notices.length < PAGE) return;
      }
    },
  });
}

function giveUpLate(reporter: Reporter, { kind, subjectId, attempts }: Taken, error: unknown): void {
  const what = attempts >= MOST_ATTEMPTS ? 'a push notice is given up' : 'a push notice was not sent yet';
  reporter.problem(what, error, { kind, subjectId, attempts });
}

async function settle(ports: PushSenderPorts, notice: Taken): Promise<void> {
  const { pool, clock, reporter } = ports;
  const outcome = await sent(ports, notice);
  if (outcome === null || outcome.kind === 'taken') return pushNotices.remove(pool, notice);
  if (outcome.kind === 'gone') return removeDead(pool, outcome);
  const { kind, subjectId, attempts } = notice;
  if (outcome.kind === 'refused') {
    reporter.problem('a push notice is refused', new Error(outcome.why), { kind, subjectId });
    return pushNotices.remove(pool, notice);
  }
  if (attempts >= MOST_ATTEMPTS) throw new Error(outcome.why);
  const { waitMs } = outcome;
  if (waitMs !== null) {
    const wait = Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
    await postpone(pool, notice, clock.now() + wait);
  }
  giveUpLate(reporter, notice, new Error(outcome.why));
}

/** Null for what is not to be sent any more. */
async function sent({ pool, push, site, units, clock }: PushSenderPorts, notice: Taken) {
  const { sessionId } = notice;
  if (push === null) return null;
  const { client, serverKey } = push;
  const subscription = await liveSubscription(pool, { sessionId, serverKey });
  const written = await writtenAt(pool, notice);
  if (subscription === null || written === null) return null;
  const at = clock.now();
  if (at - written.getTime() > OLDEST_MS) return null;
  const words = await wordsOf({ pool, site, userId: subscription.userId, units, at }, notice);
  if (words === null) return null;
  if (!(await takeSendOfHour(pool, { sessionId, at, limit: NOTICES_PER_HOUR }))) return null;
  const topic = topicOf(notice);
  const payload = JSON.stringify({ line: words.line, url: site.origin + words.path, tag: topic });
  const { endpoint } = subscription;
  return { ...(await client.send(subscription, { payload, topic })), sessionId, endpoint };
}

const LETTERS: Record<NoticeKind, string> = { TOUR: 't', MESSAGE: 'm', ALERT: 'a' };

/** The same for all notices about a subject. 23 of the letters of base64url. */
const topicOf = ({ kind, subjectId }: PushNotice): string =>
  LETTERS[kind] + Buffer.from(subjectId.replaceAll('-', ''), 'hex').toString('base64url');
