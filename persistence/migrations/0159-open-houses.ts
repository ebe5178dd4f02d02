import { OnlineMigration } from './online-migration.ts';

/**
 * When anyone may visit a home without asking (docs/contract.md#open-houses). A row belongs to its listing and names no
 * person: the export of the owner's account has it, and its deletion leaves it to a listing that is no longer shown. It
 * stays with the listing; of those that are over or canceled, the last 50 do.
 */
export class OpenHouses extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table open_houses (
        id uuid primary key default gen_random_uuid(),
        "propertyId" uuid not null references properties (id) on delete cascade,
        "startsAt" timestamptz not null,
        "endsAt" timestamptz not null,
        remarks text,
        "createdAt" timestamptz not null,
        "changedAt" timestamptz not null,
        version integer not null default 1,
        "canceledAt" timestamptz,
        constraint open_houses_length_check
          check ("endsAt" - "startsAt" between interval '15 minutes' and interval '8 hours'),
        constraint open_houses_remarks_check check (char_length(remarks) between 1 and 500),
        constraint open_houses_do_not_overlap
          exclude using gist ("propertyId" with =, tstzrange("startsAt", "endsAt") with &&)
          where ("canceledAt" is null)
      )`);
    this.addSql('create index open_houses_of_listing_idx on open_houses ("propertyId", "startsAt" desc)');
    this.addSql(
      'create index open_houses_ahead_idx on open_houses ("endsAt", "startsAt") where "canceledAt" is null',
    );
  }
}
