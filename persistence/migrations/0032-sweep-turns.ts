import { Migration } from '@mikro-orm/migrations';

/** The turns of sweeps that one worker does for all: one row per sweep, inserted at its first turn. */
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
