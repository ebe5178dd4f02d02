import { OnlineMigration } from './online-migration.ts';

/**
 * Offers of listings (docs/contract.md#offers): from this migration on, an agent becomes a listing's owner or assigned
 * agent only by accepting one (I50). An offer belongs to both agents. The deletion of either account ends the open ones
 * and keeps the rows, which then refer to a tombstone. Both find theirs in their export. An accepted offer stays as
 * long as its listing, as the evidence of the answer. The others are removed 90 days after their end. A mail's row goes
 * when the mail was sent, or with its offer.
 */
export class ListingOffers extends OnlineMigration {
  static override readonly online = [
    { column: '"assignedAt"', on: 'property_agents', type: 'timestamptz' },
    {
      constraint: 'user_muted_mails_next',
      on: '"user"',
      must: `check ("mutedMails" <@ array['TOUR_REQUESTED', 'TOUR_PROPOSED', 'TOUR_CONFIRMED', 'TOUR_DECLINED',
        'TOUR_CANCELED', 'PICTURE_WITHDRAWN', 'LISTING_OFFER'] and (email is not null or "mutedMails" = '{}'))`,
    },
  ];

  override up(): void {
    for (const statement of [...MUTED, ...OFFERS, ...CONSENT, ...LEFT, ...MAILS]) this.addSql(statement);
  }
}

const MUTED = [
  'alter table "user" drop constraint user_muted_mails_check',
  'alter table "user" rename constraint user_muted_mails_next to user_muted_mails_check',
];

const OFFERS = [
  `create table listing_offers (
     id uuid primary key default gen_random_uuid(),
     "propertyId" uuid not null references properties (id) on delete cascade,
     kind text not null,
     "fromAgentId" uuid not null references "user" (id),
     "toAgentId" uuid not null references "user" (id),
     status text not null default 'OPEN',
     "createdAt" timestamptz not null,
     "expiresAt" timestamptz not null,
     "endedAt" timestamptz,
     constraint listing_offers_kind_check check (kind in ('OWNERSHIP', 'ASSIGNMENT')),
     constraint listing_offers_status_check
       check (status in ('OPEN', 'ACCEPTED', 'DECLINED', 'WITHDRAWN', 'EXPIRED')),
     constraint listing_offers_people_check check ("fromAgentId" <> "toAgentId"),
     constraint listing_offers_time_check check ("expiresAt" > "createdAt"),
     constraint listing_offers_end_check check ((status = 'OPEN') = ("endedAt" is null)),
     constraint listing_offers_answer_check check (status <> 'ACCEPTED' or "endedAt" < "expiresAt")
   )`,
  `create unique index listing_offers_open_key on listing_offers ("propertyId", kind, "toAgentId")
   where status = 'OPEN'`,
  `create index listing_offers_expiry_idx on listing_offers ("expiresAt") where status = 'OPEN'`,
  `create index listing_offers_property_idx on listing_offers ("propertyId", "endedAt" desc)`,
  `create index listing_offers_from_idx on listing_offers ("fromAgentId", "createdAt" desc, id desc)`,
  `create index listing_offers_to_idx on listing_offers ("toAgentId", "createdAt" desc, id desc)`,
  `create index listing_offers_ended_idx on listing_offers ("endedAt")
   where status in ('DECLINED', 'WITHDRAWN', 'EXPIRED')`,
  `create trigger listing_offers_refuse_tombstones before insert on listing_offers
   for each row execute function refuse_tombstones('fromAgentId', 'toAgentId')`,
  `create function listing_offers_keep_end() returns trigger language plpgsql as $$
   begin
     raise exception 'offer % has ended', old.id using errcode = '23514', constraint = 'listing_offers_keep_end';
   end $$`,
  `create trigger listing_offers_keep_end before update on listing_offers
   for each row when (old.status <> 'OPEN') execute function listing_offers_keep_end()`,
  `insert into retention_cuts (what) values ('offers')`,
];

// Null: assigned before there were offers. The default is for a writer that names no answer; I50 finds its rows.
const CONSENT = [
  `alter table property_agents alter column "assignedAt" set default clock_timestamp()`,
  `create function properties_owner_accepted() returns trigger language plpgsql as $$
   begin
     if (select ("fromAgentId", "toAgentId") = (old."ownerAgentId", new."ownerAgentId") from listing_offers
         where "propertyId" = new.id and kind = 'OWNERSHIP' and status = 'ACCEPTED'
         order by "endedAt" desc limit 1) is not true then
       raise exception 'listing % was not accepted by its new owner', new.id
         using errcode = '23514', constraint = 'properties_owner_accepted';
     end if;
     return new;
   end $$`,
  `create trigger properties_owner_accepted before update on properties for each row
   when (new."ownerAgentId" is distinct from old."ownerAgentId") execute function properties_owner_accepted()`,
];

// A deleted account may own listings that have left the market; they never come back to it.
const LEFT = [
  'drop trigger properties_updated_refuse_tombstones on properties',
  `create trigger properties_updated_refuse_tombstones before update on properties for each row
   when (new."ownerAgentId" is distinct from old."ownerAgentId"
     or (old."standardStatus" <> new."standardStatus" and new."standardStatus" <> 'Delete'))
   execute function refuse_tombstones('ownerAgentId')`,
  `create function properties_withdraw_offers() returns trigger language plpgsql as $$
   begin
     update listing_offers set status = 'WITHDRAWN', "endedAt" = new."updatedAt"
     where "propertyId" = new.id and status = 'OPEN';
     return null;
   end $$`,
  `create trigger properties_withdraw_offers after update on properties for each row
   when (new."standardStatus" = 'Delete' and old."standardStatus" <> 'Delete')
   execute function properties_withdraw_offers()`,
];

// Written by a trigger, as the mails about tours (0056).
const MAILS = [
  `create table offer_mails (
     "offerId" uuid not null references listing_offers (id) on delete cascade,
     status text not null,
     side text not null,
     attempts integer not null default 0,
     "nextAttemptAt" timestamptz not null,
     primary key ("offerId", status, side),
     constraint offer_mails_side_check check (side in ('from', 'to'))
   )`,
  'create index offer_mails_due_idx on offer_mails ("nextAttemptAt")',
  `create function listing_offers_write_mails() returns trigger language plpgsql as $$
   begin
     insert into offer_mails ("offerId", status, side, "nextAttemptAt")
     select new.id, new.status, side, coalesce(new."endedAt", new."createdAt") from unnest(array['from', 'to']) side;
     return null;
   end $$`,
  `create trigger listing_offers_write_mails after insert or update on listing_offers
   for each row execute function listing_offers_write_mails()`,
];
