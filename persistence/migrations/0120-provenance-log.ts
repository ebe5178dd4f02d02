import { OnlineMigration } from './online-migration.ts';

/**
 * The log of provenance records (docs/contract.md#the-log-of-records): an entry for the records of a day, which names the
 * entry before it, and the place of each record in its entry. The installation owns the rows. They contain hashes and no
 * one's data, so neither the deletion of an account nor an export touches them. They are kept forever, like the records.
 */
export class ProvenanceLog extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table provenance_log (
        number integer primary key,
        day date not null,
        records integer not null,
        root text not null,
        previous text,
        head text not null,
        signature text,
        certificate text,
        "madeAt" timestamptz not null default clock_timestamp(),
        constraint provenance_log_number_check check (number >= 1 and (number = 1) = (previous is null)),
        constraint provenance_log_records_check check (records >= 0),
        constraint provenance_log_signature_check check ((signature is null) = (certificate is null)),
        constraint provenance_log_head_unique unique (head),
        constraint provenance_log_previous_fkey foreign key (previous) references provenance_log (head)
      )`);
    this.addSql(`
      create table provenance_log_leaves (
        "stagedImageId" uuid primary key references provenance_records,
        entry integer not null references provenance_log,
        position integer not null,
        hash bytea not null,
        constraint provenance_log_leaves_place_unique unique (entry, position)
      )`);
    for (const table of ['provenance_log', 'provenance_log_leaves']) {
      this.addSql(
        `create trigger ${table}_never_change before update or delete on ${table}
         for each row execute function refuse_rewrite_of_history()`,
      );
      this.addSql(
        `create trigger ${table}_never_empty before truncate on ${table}
         for each statement execute function refuse_rewrite_of_history()`,
      );
    }
  }
}
