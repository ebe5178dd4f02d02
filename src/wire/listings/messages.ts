import { z } from 'zod';
import { MAX_MESSAGE_REPORT_NOTE, MAX_MESSAGE_TEXT } from '../../../machines/limits.ts';
import { MESSAGE_SIDES } from '../../../persistence/messages/message-access.ts';
import type { Message, MessageThread } from '../../../persistence/messages/thread-queries.ts';
import { keysetPaging } from '../keyset-cursor.ts';
import { instant, iso, pageLimit, pageOutput, paragraphs, uuid, viewOf } from '../text.ts';

/** Shapes of questions about homes (docs/contract.md#questions). */
const seq = z.int().min(1);
const afterSeq = z.int().min(0);
/** The author names each message, so that a repeated call is the same message. */
const written = { messageId: uuid, text: paragraphs(MAX_MESSAGE_TEXT) };

export const openThreadInput = z.strictObject({ propertyId: uuid, ...written });
export const sendMessageInput = z.strictObject({ threadId: uuid, ...written });
export const sentOutput = z.object({
  threadId: z.string(),
  messageId: z.string(),
  seq: z.int(),
  createdAt: instant,
});
export const listMessagesInput = z
  .strictObject({
    propertyId: uuid,
    customerId: uuid,
    after: afterSeq.nullish(),
    before: seq.nullish(),
    limit: pageLimit,
  })
  .refine(({ after, before }) => after == null || before == null, {
    message: 'Give one of after and before.',
    path: ['before'],
  });
export const listThreadsOfMessagesInput = z.strictObject(keysetPaging);
export const readThreadInput = z.strictObject({ threadId: uuid, seq });
export const readThreadOutput = z.object({ threadId: z.string(), seq: z.int() });
export const reportThreadInput = z.strictObject({
  threadId: uuid,
  note: paragraphs(MAX_MESSAGE_REPORT_NOTE).nullable().default(null),
});
export const reportThreadOutput = z.object({ threadId: z.string() });
export const blockThreadInput = z.strictObject({ threadId: uuid, isBlocked: z.boolean() });
export const blockThreadOutput = z.object({ threadId: z.string(), isBlocked: z.boolean() });
export const unreadMessagesOutput = z.object({ count: z.int() });

/** The name of a person who deleted their account is empty. */
const person = z.object({ userId: z.string(), name: z.string() });
export const message = z.object({
  messageId: z.string(),
  seq: z.int(),
  side: z.enum(MESSAGE_SIDES),
  author: person,
  text: z.string(),
  createdAt: instant,
});
export const messageThread = z.object({
  threadId: z.string(),
  propertyId: z.string(),
  address: z.string(),
  unitNumber: z.string().nullable(),
  city: z.string(),
  /** IANA name of the home's time zone. */
  timeZone: z.string(),
  /** A photo of the home that everyone may see. */
  photoId: z.string().nullable(),
  customer: person,
  /** The owner of the listing. */
  agent: person,
  side: z.enum(MESSAGE_SIDES),
  /** Messages of the other side that the caller has not read. */
  unread: z.int(),
  /** Whether the caller's side has blocked the other one. */
  isBlocked: z.boolean(),
  /** Whether nothing can be sent, because the other side has deleted its account. */
  isClosed: z.boolean(),
  lastMessage: message.nullable(),
  changedAt: instant,
});
/** Messages in their order. Without a thread yet: none. `hasMore`: there are more in the direction that was asked for. */
export const listMessagesOutput = z.object({
  thread: messageThread.nullable(),
  items: z.array(message),
  hasMore: z.boolean(),
});
export const listThreadsOfMessagesOutput = pageOutput(messageThread);

export const toMessage = ({ authorId, authorName, createdAt, ...rest }: Message): z.output<typeof message> =>
  viewOf(message, {
    ...rest,
    author: { userId: authorId, name: authorName },
    createdAt: iso(createdAt),
  });

export const toMessageThread = (thread: MessageThread): z.output<typeof messageThread> =>
  viewOf(messageThread, {
    ...thread,
    threadId: thread.id,
    customer: { userId: thread.customerId, name: thread.customerName },
    agent: { userId: thread.agentId, name: thread.agentName },
    lastMessage: thread.last && toMessage(thread.last),
    changedAt: iso(thread.changedAt),
  });
