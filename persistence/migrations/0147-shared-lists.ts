import { OnlineMigration } from './online-migration.ts';

/**
 * The address under which a person shows the saved homes to others (docs/contract.md#shared-list). It belongs to the
 * person: one at most. The deletion of the account removes it, the export contains it without the secret, and it stays
 * until the person ends it. A suspended person's is not shown. The secret of the address is stored as a hash.
 */
export class SharedLists extends OnlineMigration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table shared_lists (
     "userId" uuid primary key references "user" (id) on delete cascade,
     "secretHash" text not null,
     name text not null,
     "withNotes" boolean not null,
     "createdAt" timestamptz not null,
     constraint shared_lists_name_check check (char_length(name) between 1 and 100)
   )`,
  `create unique index shared_lists_secret_key on shared_lists ("secretHash")`,
  `create trigger shared_lists_refuse_tombstones before insert on shared_lists
   for each row execute function refuse_tombstones('userId')`,
  `create trigger shared_lists_refuse_suspended before insert or update on shared_lists
   for each row execute function refuse_suspended('userId')`,
];
