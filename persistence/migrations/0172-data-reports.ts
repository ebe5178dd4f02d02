import { OnlineMigration } from './online-migration.ts';

/**
 * Reports of wrong data (docs/contract.md#attribution): what people say is wrong about a listing, for the operator.
 *
 * A report belongs to its listing and knows nothing of its author: neither deletion nor export of an account has it. It
 * is deleted with the listing, and after 180 days.
 */
export class DataReports extends OnlineMigration {
  override up(): void {
    for (const statement of REPORTS) this.addSql(statement);
  }
}

const REPORTS = [
  `create table data_reports (
     id uuid primary key,
     "propertyId" uuid not null references properties (id) on delete cascade,
     subject text not null,
     note text not null,
     "createdAt" timestamptz not null,
     constraint data_reports_subject_check check (subject in ('PRICE', 'STATUS', 'PICTURES', 'FACTS', 'OTHER')),
     constraint data_reports_note_check check (char_length(note) between 1 and 1000)
   )`,
  'create index data_reports_time_idx on data_reports ("createdAt", id)',
  'create index data_reports_listing_idx on data_reports ("propertyId", "createdAt")',
  `insert into retention_cuts (what) values ('dataReports')`,
];
