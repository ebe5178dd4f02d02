import { OnlineMigration } from './online-migration.ts';

/**
 * Push notices (docs/contract.md#push-notices): where the browsers of people get them, and those that wait.
 *
 * A subscription belongs to a session and its person. It is removed with the session (sign-out, its end, suspension), by
 * its person, when the push service says that it is gone, and with the account. An export has its address and time, and
 * leaves out its keys, which are the browser's secrets. A notice belongs to its subscription and is removed with it; it
 * stays until it is sent, at most a day, and an export leaves it out, because it repeats what that contains.
 */
export class Push extends OnlineMigration {
  override up(): void {
    for (const statement of [...SUBSCRIPTIONS, ...NOTICES]) this.addSql(statement);
  }
}

// `serverKey` is the public key that the browser was given: with another one its push service refuses everything.
// `sent` counts the sends of the hour that begins at `hour`.
const SUBSCRIPTIONS = [
  `create table push_subscriptions (
     "sessionId" uuid primary key references session (id) on delete cascade,
     "userId" uuid not null references "user" (id) on delete cascade,
     endpoint text not null,
     p256dh text not null,
     auth text not null,
     "serverKey" text not null,
     "createdAt" timestamptz not null,
     hour timestamptz not null default 'epoch',
     sent integer not null default 0,
     constraint push_subscriptions_endpoint_key unique (endpoint),
     constraint push_subscriptions_endpoint_check check (char_length(endpoint) between 1 and 1000)
   )`,
  'create index push_subscriptions_of_person_idx on push_subscriptions ("userId", "createdAt")',
  `create trigger push_subscriptions_refuse_tombstones before insert or update of "userId" on push_subscriptions
   for each row execute function refuse_tombstones('userId')`,
];

// One row for each subscription and subject: a later notice about it takes the place of one that waits. The rows of
// subscriptions that are being removed are skipped: a notice never fails what it tells about.
const NOTICES = [
  `create table push_notices (
     "sessionId" uuid not null references push_subscriptions ("sessionId") on delete cascade,
     kind text not null,
     "subjectId" uuid not null,
     seq bigint not null,
     "createdAt" timestamptz not null,
     attempts integer not null default 0,
     "nextAttemptAt" timestamptz not null,
     primary key ("sessionId", kind, "subjectId"),
     constraint push_notices_kind_check check (kind in ('TOUR', 'MESSAGE', 'ALERT'))
   )`,
  'create index push_notices_due_idx on push_notices ("nextAttemptAt")',
  `create function write_push_notices(people uuid[], about text, subject uuid, number bigint, at timestamptz,
     due timestamptz) returns void language sql as $$
     insert into push_notices as n ("sessionId", kind, "subjectId", seq, "createdAt", "nextAttemptAt")
     select s."sessionId", about, subject, number, at, due from (
       select "sessionId" from push_subscriptions where "userId" = any (people)
       order by "sessionId" for key share) s
     on conflict ("sessionId", kind, "subjectId") do update
       set seq = excluded.seq, "createdAt" = excluded."createdAt", attempts = 0,
         "nextAttemptAt" = case when n.attempts = 0 then least(n."nextAttemptAt", excluded."nextAttemptAt")
           else greatest(n."nextAttemptAt", excluded."nextAttemptAt") end
   $$`,
  `create function tours_write_notices() returns trigger language plpgsql as $$
   begin
     perform write_push_notices(array[new."customerId", new."agentId"], 'TOUR', new.id, new.version,
       new."updatedAt", new."updatedAt");
     return null;
   end $$`,
  `create trigger tours_write_notices_of_birth after insert on tours
     for each row execute function tours_write_notices()`,
  `create trigger tours_write_notices_of_change after update on tours
     for each row when (new.version > old.version) execute function tours_write_notices()`,
];
