import { Migration } from '@mikro-orm/migrations';

/**
 * The random key of the console's cookies, and the last one-time code that each operator has used. Both belong to the
 * platform and not to a person with an account, so no deletion or export concerns them. The key stays; without it every
 * operator is signed out. A row of codes is one for each operator and is overwritten.
 */
export class NamedOperators extends Migration {
  override up(): void {
    this.addSql(
      'create table console_keys (id boolean primary key default true check (id), key bytea not null)',
    );
    this.addSql('create table operator_codes (operator text primary key, "lastStep" bigint not null)');
  }
}
