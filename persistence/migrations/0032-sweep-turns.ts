import { Migration } from '@mikro-orm/migrations';

/** Which worker does a sweep that one of them does for all: a row for each such sweep, made at its first turn. */
export class SweepTurns extends Migration {
  override up(): void {
    this.addSql(`
      create table sweep_turns (
        name text primary key,
        turn bigint not null,
        holder text,
        "beganAt" timestamptz not null,
        "heldUntil" timestamptz,
        constraint sweep_turns_held_check check ((holder is null) = ("heldUntil" is null))
      )`);
  }
}
