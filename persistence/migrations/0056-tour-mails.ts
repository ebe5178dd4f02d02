import { OnlineMigration } from './online-migration.ts';

/**
 * Mails about tours (docs/contract.md#mail). A change of a tour and the rows of its mails commit together: a trigger
 * writes one row for each side, because tours also change in SQL, when their listing leaves the market. Whoever sends
 * decides which side is told, and removes the row. A person names the kinds of mail that they do not want.
 */
export class TourMails extends OnlineMigration {
  static override readonly online = [
    { column: '"mutedMails"', on: '"user"', type: `text[] not null default '{}'` },
    {
      constraint: 'user_muted_mails_check',
      on: '"user"',
      must: `check ("mutedMails" <@ array['TOUR_REQUESTED', 'TOUR_PROPOSED', 'TOUR_CONFIRMED', 'TOUR_DECLINED',
        'TOUR_CANCELED'] and (email is not null or "mutedMails" = '{}'))`,
    },
  ];

  override up(): void {
    this.addSql(`
      create table tour_mails (
        "tourId" uuid not null references tours (id) on delete cascade,
        seq integer not null,
        side text not null,
        attempts integer not null default 0,
        "nextAttemptAt" timestamptz not null,
        primary key ("tourId", seq, side),
        constraint tour_mails_side_check check (side in ('customer', 'agent'))
      )`);
    this.addSql(`create index tour_mails_due_idx on tour_mails ("nextAttemptAt")`);
    this.addSql(`
      create function tours_write_mails() returns trigger language plpgsql as $$
      begin
        insert into tour_mails ("tourId", seq, side, "nextAttemptAt")
        values (new.id, new.version, 'customer', new."updatedAt"), (new.id, new.version, 'agent', new."updatedAt");
        return null;
      end $$`);
    this.addSql(`
      create trigger tours_write_mails_of_birth after insert on tours
        for each row execute function tours_write_mails()`);
    this.addSql(`
      create trigger tours_write_mails_of_change after update on tours
        for each row when (new.version > old.version) execute function tours_write_mails()`);
  }
}
