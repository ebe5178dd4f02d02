import { OnlineMigration } from './online-migration.ts';

/**
 * Operators suspend people and take listings down: two more reasons in `hiddenFor` (0102).
 *
 * `operator_acts` is the trail. Its rows belong to the platform: the deletion of an account keeps them, with its id
 * only; the export of an account contains those about the person; they are never deleted.
 */
export class Suspensions extends OnlineMigration {
  static override readonly online = [
    { column: '"suspendedAt"', on: '"user"', type: 'timestamptz' },
    { index: 'user_suspended_idx', on: '"user" (id) where "suspendedAt" is not null' },
  ];

  override up(): void {
    for (const statement of [...ACTS, ...FOLLOW_OWNER, ...REFUSALS]) this.addSql(statement);
  }
}

const ACTS = [
  `create table operator_acts (
     id uuid primary key default gen_random_uuid(),
     act text not null,
     "personId" uuid references "user" (id) on delete cascade,
     "propertyId" uuid,
     by text not null,
     reason text not null,
     at timestamptz not null,
     constraint operator_acts_subject_check check (num_nonnulls("personId", "propertyId") = 1)
   )`,
  `create index operator_acts_person_idx on operator_acts ("personId", at) where "personId" is not null`,
  `create index operator_acts_property_idx on operator_acts ("propertyId", at) where "propertyId" is not null`,
  `create trigger operator_acts_never_change before update on operator_acts
   for each row execute function refuse_rewrite_of_history()`,
  `create trigger operator_acts_never_empty before truncate on operator_acts
   for each statement execute function refuse_rewrite_of_history()`,
];

/**
 * The listings of a suspended person are hidden, also one whose creation or transfer was under way. The lock of the
 * owner's row decides which came first.
 */
const FOLLOW_OWNER = [
  `create function properties_follow_owner() returns trigger language plpgsql as $function$
   declare
     suspended boolean;
   begin
     select "suspendedAt" is not null into suspended from "user" where id = new."ownerAgentId" for key share;
     new."hiddenFor" := array_remove(new."hiddenFor", 'OWNER_SUSPENDED')
       || case when suspended then array['OWNER_SUSPENDED'] else '{}' end;
     return new;
   end $function$`,
  `create trigger properties_inserted_follow_owner before insert on properties
   for each row execute function properties_follow_owner()`,
  `create trigger properties_given_follow_owner before update on properties for each row
   when (old."ownerAgentId" is distinct from new."ownerAgentId") execute function properties_follow_owner()`,
];

/** Calls that were admitted before the suspension, and would commit after it. */
const REFUSALS = [
  `create function refuse_suspended() returns trigger language plpgsql as $function$
   declare
     person uuid;
     suspended boolean;
   begin
     execute format('select ($1).%I', tg_argv[0]) into person using new;
     select "suspendedAt" is not null into suspended from "user" where id = person for key share;
     if suspended then
       raise exception 'account % is suspended', person using errcode = 'PA002', constraint = tg_name;
     end if;
     return new;
   end $function$`,
  `create trigger tours_refuse_suspended before insert on tours
   for each row execute function refuse_suspended('customerId')`,
  `create trigger property_image_review_events_refuse_suspended before insert on property_image_review_events
   for each row when (new.kind = 'APPROVED') execute function refuse_suspended('actorUserId')`,
];
