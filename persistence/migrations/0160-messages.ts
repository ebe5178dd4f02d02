import { OnlineMigration } from './online-migration.ts';

/**
 * Questions about homes (docs/contract.md#questions): one thread for each listing and customer, its messages in the order
 * of their numbers, how far each person has read, the mails that wait, and the reports to the operators.
 *
 * A message belongs to its author. It stays with the other side when the account of its author is deleted, without their
 * name. An export has a person's own messages, reports and read marks; it leaves out mails that wait. The deletion of an
 * account removes read marks, mails, and the words of reports. Threads and messages stay as long as the listing, mails until
 * they are sent, and reports as long as the thread.
 */
export class Messages extends OnlineMigration {
  static override readonly online = [
    { column: '"mutesMessages"', on: '"user"', type: 'boolean not null default false' },
    { column: '"messageMails"', on: 'mail_hours', type: 'integer not null default 0' },
  ];

  override up(): void {
    for (const statement of [...THREADS, ...MESSAGES, ...READS, ...MAILS, ...REPORTS]) this.addSql(statement);
  }
}

// `customerAt` and `agentAt` are the times of the last message that each side can see: they differ while one side has
// blocked the other.
const THREADS = [
  `create table message_threads (
     id uuid primary key,
     "propertyId" uuid not null references properties (id) on delete cascade,
     "customerId" uuid not null references "user" (id) on delete cascade,
     "createdAt" timestamptz not null,
     "lastSeq" integer not null default 0,
     "customerAt" timestamptz not null,
     "agentAt" timestamptz not null,
     "customerBlockedAt" timestamptz,
     "agentBlockedAt" timestamptz,
     "agentBlockedById" uuid references "user" (id),
     constraint message_threads_of_listing_and_customer unique ("propertyId", "customerId"),
     constraint message_threads_block_check check (num_nulls("agentBlockedAt", "agentBlockedById") in (0, 2))
   )`,
  'create index message_threads_of_customer_idx on message_threads ("customerId", "customerAt" desc, id desc)',
  'create index message_threads_of_listing_idx on message_threads ("propertyId", "createdAt")',
  `create trigger message_threads_refuse_tombstones before insert on message_threads
   for each row execute function refuse_tombstones('customerId')`,
];

// `isHeld`: the other side had blocked the author, and never sees the message.
const MESSAGES = [
  `create table messages (
     "threadId" uuid not null references message_threads (id) on delete cascade,
     seq integer not null,
     "messageId" uuid not null,
     side text not null,
     "authorId" uuid not null references "user" (id),
     text text not null,
     "isHeld" boolean not null,
     "createdAt" timestamptz not null,
     primary key ("threadId", seq),
     constraint messages_once unique ("authorId", "messageId"),
     constraint messages_seq_check check (seq > 0),
     constraint messages_side_check check (side in ('customer', 'agent')),
     constraint messages_text_check check (char_length(text) between 1 and 2000)
   )`,
  `create trigger messages_refuse_tombstones before insert on messages
   for each row execute function refuse_tombstones('authorId')`,
];

const READS = [
  `create table message_reads (
     "userId" uuid not null references "user" (id) on delete cascade,
     "threadId" uuid not null references message_threads (id) on delete cascade,
     seq integer not null,
     primary key ("userId", "threadId"),
     constraint message_reads_seq_check check (seq > 0)
   )`,
  'create index message_reads_thread_idx on message_reads ("threadId")',
  `create trigger message_reads_refuse_tombstones before insert or update on message_reads
   for each row execute function refuse_tombstones('userId')`,
];

// One row for each reader and thread, about the messages from `fromSeq` to `seq`.
const MAILS = [
  `create table message_mails (
     "threadId" uuid not null references message_threads (id) on delete cascade,
     "userId" uuid not null references "user" (id) on delete cascade,
     "fromSeq" integer not null,
     seq integer not null,
     attempts integer not null default 0,
     "nextAttemptAt" timestamptz not null,
     primary key ("threadId", "userId"),
     constraint message_mails_seq_check check ("fromSeq" between 1 and seq)
   )`,
  'create index message_mails_due_idx on message_mails ("nextAttemptAt")',
  'create index message_mails_of_reader_idx on message_mails ("userId")',
];

const REPORTS = [
  `create table message_reports (
     id uuid primary key,
     "threadId" uuid not null references message_threads (id) on delete cascade,
     "reporterId" uuid not null references "user" (id) on delete cascade,
     seq integer not null,
     note text,
     "createdAt" timestamptz not null,
     constraint message_reports_once unique ("threadId", "reporterId", seq),
     constraint message_reports_note_check check (char_length(note) between 1 and 1000)
   )`,
  'create index message_reports_newest_idx on message_reports ("createdAt" desc, id desc)',
  'create index message_reports_of_reporter_idx on message_reports ("reporterId")',
  `create trigger message_reports_refuse_tombstones before insert on message_reports
   for each row execute function refuse_tombstones('reporterId')`,
];
