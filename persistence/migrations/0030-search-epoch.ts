import { Migration } from '@mikro-orm/migrations';

/** Which rebuild of all search documents the key-value store holds, and its progress: one row at most. */
export class SearchEpoch extends Migration {
  override up(): void {
    this.addSql(`
      create table search_epoch (
        id smallint primary key,
        epoch uuid not null,
        "throughId" uuid,
        "beganAt" timestamptz not null,
        "finishedAt" timestamptz,
        constraint search_epoch_one_row_check check (id = 1)
      )`);
  }
}
