import { OnlineMigration } from './online-migration.ts';

/**
 * Tours: one row each. The status is the state of the tour machine and the other columns are its context
 * (machines/tour.ts). Constraints guarantee what no single transaction can: one open tour per customer and listing, and
 * no overlapping times in the calendar of one agent. Both sides read a tour's history from the journal, so that part of
 * the journal is kept as long as the tour.
 */
export class Tours extends OnlineMigration {
  static override readonly online = [
    {
      constraint: 'actor_transitions_actorKind_next',
      on: 'actor_transitions',
      must: `check ("actorKind" in ('stagingJob', 'providerAttempt', 'imageReview', 'deletionItem', 'tour'))`,
    },
  ];

  override up(): void {
    for (const section of [TABLE, CHECKS, INDEXES, JOURNAL, MARKET_TRIGGER]) this.addSql(section);
  }
}

// btree_gist lets the exclusion constraint compare uuids beside a range.
const TABLE = `
  create extension if not exists btree_gist;
  create type tour_status as enum ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED',
    'DECLINED', 'CANCELLED', 'EXPIRED', 'COMPLETED', 'NO_SHOW');
  create type tour_kind as enum ('IN_PERSON', 'VIRTUAL');
  create table tours (
    id uuid primary key,
    "customerId" uuid not null references "user" (id) on delete cascade,
    "propertyId" uuid not null references properties (id) on delete cascade,
    "agentId" uuid not null references "user" (id),
    kind tour_kind not null,
    note text,
    status tour_status not null,
    "proposedSlots" jsonb not null default '[]',
    "proposedBy" text,
    "proposedById" uuid,
    rounds integer not null default 0,
    "proposalExpiresAt" timestamptz,
    "heldStartsAt" timestamptz,
    "heldEndsAt" timestamptz,
    reason text,
    "closedAt" timestamptz,
    "closedBy" text,
    "closedFrom" tour_status,
    version integer not null default 0,
    "createdAt" timestamptz not null,
    "updatedAt" timestamptz not null
  )`;

// The columns that each state has; a row that no machine could have written is rejected.
const CHECKS = `
  alter table tours
    add constraint "tours_proposedBy_check" check ("proposedBy" in ('customer', 'agent')),
    add constraint "tours_closedBy_check" check ("closedBy" in ('customer', 'agent', 'system')),
    add constraint "tours_closedFrom_check"
      check ("closedFrom" in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED')),
    add constraint tours_held_slot_check
      check (("heldStartsAt" is null) = ("heldEndsAt" is null) and "heldStartsAt" < "heldEndsAt"),
    add constraint tours_rounds_check check (rounds between 0 and 5),
    add constraint tours_slots_check
      check (jsonb_typeof("proposedSlots") = 'array' and jsonb_array_length("proposedSlots") <= 3),
    add constraint tours_proposal_check check (
      case when jsonb_array_length("proposedSlots") = 0
        then "proposedBy" is null and "proposedById" is null and "proposalExpiresAt" is null and rounds = 0
        else "proposedBy" is not null and "proposedById" is not null and "proposalExpiresAt" is not null
      end),
    add constraint tours_status_check check (
      case status
        when 'REQUESTED' then jsonb_array_length("proposedSlots") > 0 and rounds = 0
          and "proposedBy" = 'customer' and "heldStartsAt" is null
        when 'RESCHEDULE_PROPOSED' then jsonb_array_length("proposedSlots") > 0 and rounds > 0
        when 'CONFIRMED' then jsonb_array_length("proposedSlots") = 0 and "heldStartsAt" is not null
        when 'COMPLETED' then "heldStartsAt" is not null
        when 'NO_SHOW' then "heldStartsAt" is not null
        else true
      end),
    add constraint tours_closed_check check (
      case when status in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED')
        then num_nonnulls("closedAt", "closedBy", "closedFrom", reason) = 0
        else num_nulls("closedAt", "closedBy", "closedFrom") = 0
      end),
    add constraint tours_held_slots_do_not_overlap
      exclude using gist ("agentId" with =, tstzrange("heldStartsAt", "heldEndsAt") with &&)
      where ("heldStartsAt" is not null and status in ('RESCHEDULE_PROPOSED', 'CONFIRMED'))`;

const INDEXES = `
  create unique index tours_one_open_uidx on tours ("customerId", "propertyId")
    where status in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED');
  create index tours_customer_idx on tours ("customerId", "createdAt" desc, id desc);
  create index tours_property_idx on tours ("propertyId", "createdAt" desc, id desc);
  create index tours_proposal_due_idx on tours ("proposalExpiresAt")
    where status in ('REQUESTED', 'RESCHEDULE_PROPOSED');
  create index tours_outcome_due_idx on tours ("heldEndsAt") where status = 'CONFIRMED'`;

const JOURNAL = `
  alter table actor_transitions drop constraint "actor_transitions_actorKind_check";
  alter table actor_transitions rename constraint "actor_transitions_actorKind_next"
    to "actor_transitions_actorKind_check";

  create function tours_keep_history() returns trigger language plpgsql as $$
  begin
    if exists (select from tours where id = old."actorId") then
      raise exception 'the history of tour % is shown to its two sides and never pruned', old."actorId"
        using errcode = 'restrict_violation';
    end if;
    return old;
  end $$;
  create trigger tours_keep_history before delete on actor_transitions
    for each row when (old."actorKind" = 'tour') execute function tours_keep_history()`;

// Does exactly what the machine does on LISTING_LEFT_MARKET, whichever writer changes the listing. Milliseconds,
// because the journalled event has milliseconds. A request or an undo locks the listing's row, so neither can miss this
// trigger.
const MARKET_TRIGGER = `
  create function properties_cancel_tours() returns trigger language plpgsql as $$
  declare
    tour record;
    instant constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  begin
    for tour in
      select id, status, version from tours
      where "propertyId" = new.id and status in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED')
      order by id for update
    loop
      update tours set status = 'CANCELLED', "closedAt" = instant, "closedBy" = 'system',
        "closedFrom" = tour.status, reason = 'LISTING_LEFT_MARKET', version = tour.version + 1,
        "updatedAt" = instant
      where id = tour.id;
      insert into actor_transitions
        ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
      values ('tour', tour.id, tour.version + 1, 'LISTING_LEFT_MARKET',
        jsonb_build_object('type', 'LISTING_LEFT_MARKET', 'at', (extract(epoch from instant) * 1000)::bigint,
          'actor', 'system'),
        tour.status::text, 'CANCELLED', instant, 'database');
    end loop;
    return null;
  end $$;
  create trigger properties_cancel_tours after update on properties
    for each row when (new."standardStatus" in ('Closed', 'Withdrawn', 'Canceled', 'Expired', 'Delete')
      and new."standardStatus" is distinct from old."standardStatus")
    execute function properties_cancel_tours()`;
