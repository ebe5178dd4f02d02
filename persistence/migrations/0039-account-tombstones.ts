import { OnlineMigration } from './online-migration.ts';

/**
 * Deleted accounts. The row of `user` stays as a tombstone, so that tours, reviews and the journal still have a valid
 * reference. It holds only its id: a row without an e-mail address is a tombstone, and the check keeps everything else
 * out of it. Nothing new may refer to a tombstone. Triggers enforce this under the row's lock, because a session that
 * was read just before the deletion may still write, and so may a sign-in under way.
 */
export class AccountTombstones extends OnlineMigration {
  static override readonly online = [
    {
      constraint: 'user_tombstone_check',
      on: '"user"',
      must: `check (email is not null or (name = '' and not "emailVerified" and image is null and phone is null
        and role = 'customer' and locale = 'en' and "licenseNumber" is null and "officeName" is null
        and not "emailPublic" and "createdAt" = 'epoch' and "updatedAt" = 'epoch'))`,
    },
    {
      index: 'ai_jobs_requester_idx',
      on: `ai_jobs ("requestedByUserId", id) where "requestedByUserId" is not null`,
    },
    {
      index: 'property_image_review_events_actor_idx',
      on: `property_image_review_events ("actorUserId", id) where "actorUserId" is not null`,
    },
  ];

  override up(): void {
    this.addSql(`alter table "user" alter column email drop not null`);
    this.addSql(CODES);
    this.addSql(REFUSE_TOMBSTONES);
  }
}

/** Only a keyed hash of a mailed code is stored; there is one for each person and purpose. */
const CODES = `
  create table account_codes (
    "userId" uuid not null references "user" (id) on delete cascade,
    purpose text not null,
    "codeHash" text not null,
    tries integer not null default 0,
    "expiresAt" timestamptz not null,
    primary key ("userId", purpose),
    constraint account_codes_purpose_check check (purpose in ('deletion', 'export'))
  )`;

// A missing row is left to the foreign key, which rejects it.
const REFUSE_TOMBSTONES = `
  create function refuse_tombstones() returns trigger language plpgsql as $$
  declare
    field text;
    person uuid;
    is_deleted boolean;
  begin
    foreach field in array tg_argv loop
      execute format('select ($1).%I', field) into person using new;
      select email is null into is_deleted from "user" where id = person for key share;
      if is_deleted then
        raise exception 'account % was deleted', person using errcode = 'PA001', constraint = tg_name;
      end if;
    end loop;
    return new;
  end $$;

  create trigger account_refuse_tombstones before insert on account
    for each row execute function refuse_tombstones('userId');
  create trigger avatars_refuse_tombstones before insert on avatars
    for each row execute function refuse_tombstones('userId');
  create trigger favorites_refuse_tombstones before insert on favorites
    for each row execute function refuse_tombstones('userId');
  create trigger session_refuse_tombstones before insert on session
    for each row execute function refuse_tombstones('userId');
  create trigger property_agents_refuse_tombstones before insert on property_agents
    for each row execute function refuse_tombstones('agentId');
  create trigger properties_inserted_refuse_tombstones before insert on properties
    for each row execute function refuse_tombstones('ownerAgentId');
  create trigger properties_updated_refuse_tombstones before update on properties for each row
    when (new."ownerAgentId" is distinct from old."ownerAgentId"
      or (old."standardStatus" = 'Delete' and new."standardStatus" <> 'Delete'))
    execute function refuse_tombstones('ownerAgentId');
  create trigger tours_inserted_refuse_tombstones before insert on tours for each row
    when (new.status in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED'))
    execute function refuse_tombstones('customerId', 'agentId');
  create trigger tours_updated_refuse_tombstones before update on tours for each row
    when (new.status in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED')
      and (old.status not in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED')
        or new."agentId" is distinct from old."agentId"
        or new."proposedById" is distinct from old."proposedById"))
    execute function refuse_tombstones('customerId', 'agentId', 'proposedById')`;
