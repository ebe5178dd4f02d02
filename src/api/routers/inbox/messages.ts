import { UNREAD_TOUR_MS } from '../../../../machines/limits.ts';
import {
  blockThread,
  markThreadRead,
  openThread,
  reportThread,
  type SendFault,
  type SendOutcome,
  sendMessage,
} from '../../../../persistence/messages/message-writes.ts';
import {
  countUnread,
  messagesOf,
  threadOf,
  threadsOf,
} from '../../../../persistence/messages/thread-queries.ts';
import { PublicError } from '../../../errors/errors.ts';
import type { PublicErrorCode } from '../../../errors/public-errors.ts';
import { keysetCursor } from '../../../wire/keyset-cursor.ts';
import {
  blockThreadInput,
  blockThreadOutput,
  listMessagesInput,
  listMessagesOutput,
  listThreadsOfMessagesInput,
  listThreadsOfMessagesOutput,
  openThreadInput,
  readThreadInput,
  readThreadOutput,
  reportThreadInput,
  reportThreadOutput,
  sendMessageInput,
  sentOutput,
  toMessage,
  toMessageThread,
  unreadMessagesOutput,
} from '../../../wire/listings/messages.ts';
import { iso, noInput, pageOf } from '../../../wire/text.ts';
import { router, sessionProcedure } from '../../base.ts';
import type { OwnErrorCode } from '../../procedure-meta.ts';
import type { Services } from '../../services.ts';

/** `messages.*` (docs/contract.md#questions): both sides of a thread, by the same procedures. */
export function messagesRouter(services: Services) {
  return router({ ...readingProcedures(services), ...writingProcedures(services) });
}

function readingProcedures({ pool, clock }: Services) {
  return {
    list: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listMessagesInput)
      .output(listMessagesOutput)
      .query(async ({ ctx, input }) => {
        const { propertyId, customerId, after = null, before = null, limit } = input;
        const userId = ctx.user.id;
        const thread = await threadOf(pool, { userId, propertyId, customerId });
        // A customer may begin one. The answer is the same for any home.
        if (thread === null && customerId === userId) return { thread: null, items: [], hasMore: false };
        if (thread === null) throw new PublicError('NOT_FOUND');
        const page = { threadId: thread.id, side: thread.side, after, before, limit: limit + 1 };
        const messages = await messagesOf(pool, page);
        const items = messages.slice(0, limit).map(toMessage);
        return {
          thread: toMessageThread(thread),
          items: after === null ? items.toReversed() : items,
          hasMore: messages.length > limit,
        };
      }),
    listThreads: sessionProcedure
      .input(listThreadsOfMessagesInput)
      .output(listThreadsOfMessagesOutput)
      .query(async ({ ctx, input: { cursor = null, limit } }) => {
        const threads = await threadsOf(pool, { userId: ctx.user.id, after: cursor, limit: limit + 1 });
        const page = pageOf(threads, limit, ({ id, changedAt }) => keysetCursor({ at: changedAt, id }));
        return { ...page, items: page.items.map(toMessageThread) };
      }),
    countUnread: sessionProcedure
      .input(noInput)
      .output(unreadMessagesOutput)
      .query(async ({ ctx }) => ({
        count: await countUnread(pool, { userId: ctx.user.id, since: clock.now() - UNREAD_TOUR_MS }),
      })),
  };
}

const SEND_ERRORS: readonly OwnErrorCode[] = ['NOT_FOUND', 'CONFLICT', 'THREAD_CLOSED', 'QUOTA_REACHED'];

function writingProcedures({ pool, clock, chance }: Services) {
  return {
    open: sessionProcedure
      .meta({ needsName: true, errors: [...SEND_ERRORS, 'NAME_REQUIRED', 'FORBIDDEN', 'NO_AGENT_HERE'] })
      .input(openThreadInput)
      .output(sentOutput)
      .mutation(async ({ ctx, input }) => {
        const threadId = chance.id();
        const message = { ...input, threadId, authorId: ctx.user.id, at: clock.now() };
        return { messageId: input.messageId, ...sent(await openThread(pool, message)) };
      }),
    send: sessionProcedure
      .meta({ errors: SEND_ERRORS })
      .input(sendMessageInput)
      .output(sentOutput)
      .mutation(async ({ ctx, input }) => {
        const message = { ...input, authorId: ctx.user.id, at: clock.now() };
        return { messageId: input.messageId, ...sent(await sendMessage(pool, message)) };
      }),
    markRead: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(readThreadInput)
      .output(readThreadOutput)
      .mutation(async ({ ctx, input }) => {
        requireThread(await markThreadRead(pool, { ...input, userId: ctx.user.id }));
        return input;
      }),
    report: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(reportThreadInput)
      .output(reportThreadOutput)
      .mutation(async ({ ctx, input: { threadId, note } }) => {
        const report = { reportId: chance.id(), threadId, note, userId: ctx.user.id, at: clock.now() };
        requireThread(await reportThread(pool, report));
        return { threadId };
      }),
    block: sessionProcedure
      .meta({ errors: ['NOT_FOUND', 'NOT_YET_DURABLE'] })
      .input(blockThreadInput)
      .output(blockThreadOutput)
      .mutation(async ({ ctx, input }) => {
        requireThread(await blockThread(pool, { ...input, userId: ctx.user.id, at: clock.now() }));
        return input;
      }),
  };
}

function requireThread(isThere: boolean): void {
  if (!isThere) throw new PublicError('NOT_FOUND');
}

const FAULTS = {
  missing: 'NOT_FOUND',
  own: 'FORBIDDEN',
  closed: 'THREAD_CLOSED',
  used: 'CONFLICT',
  noAgent: 'NO_AGENT_HERE',
} as const satisfies Record<SendFault, PublicErrorCode>;

function sent(outcome: SendOutcome) {
  if (outcome.sent === null) throw new PublicError(FAULTS[outcome.fault]);
  const { threadId, seq, createdAt } = outcome.sent;
  return { threadId, seq, createdAt: iso(createdAt) };
}
