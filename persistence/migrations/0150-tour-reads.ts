import { OnlineMigration } from './online-migration.ts';

/**
 * How much of a tour a person has read (docs/contract.md#tours): the version that they saw last. A mark belongs to the
 * person. It is deleted with their account and with the tour, is in their export, and stays otherwise: one row for a
 * person and tour, which only grows. Without a row nothing was read.
 */
export class TourReads extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table tour_reads (
        "userId" uuid not null references "user" (id) on delete cascade,
        "tourId" uuid not null references tours (id) on delete cascade,
        version integer not null,
        primary key ("userId", "tourId"),
        constraint tour_reads_version_check check (version > 0)
      )`);
    this.addSql('create index tour_reads_tour_idx on tour_reads ("tourId")');
    this.addSql(`
      create trigger tour_reads_refuse_tombstones before insert or update on tour_reads
      for each row execute function refuse_tombstones('userId')`);
  }
}
