import { Migration } from '@mikro-orm/migrations';

/**
 * Calls with an `Idempotency-Key`, and their answers. They are kept for a day, and at most the last thousand of each
 * person. No row may refer to a deleted account (0039).
 */
export class IdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_keys (
        "userId" uuid not null references "user" (id) on delete cascade,
        operation text not null,
        key text not null,
        "inputHash" text not null,
        claim uuid not null,
        "expiresAt" timestamptz not null,
        "propertyIds" uuid[] not null,
        "tourId" uuid,
        answer text,
        "createdAt" timestamptz not null,
        primary key ("userId", operation, key),
        constraint idempotency_keys_key_check check (key ~ '^[ -~]{1,255}$'),
        constraint idempotency_keys_answer_check check (octet_length(answer) <= 65536)
      )`);
    this.addSql(`create index idempotency_keys_person_idx on idempotency_keys ("userId", "createdAt")`);
    this.addSql(`create index idempotency_keys_created_idx on idempotency_keys ("createdAt")`);
    this.addSql(`
      create trigger idempotency_keys_refuse_tombstones before insert on idempotency_keys
        for each row execute function refuse_tombstones('userId')`);
    this.addSql(`insert into retention_cuts (what) values ('repeats')`);
  }
}
