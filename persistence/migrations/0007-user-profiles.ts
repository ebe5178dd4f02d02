import { Migration } from '@mikro-orm/migrations';

/** Roles, language and the agent's licence (docs/contract.md#permission). */
export class UserProfiles extends Migration {
  override up(): void {
    this.addSql(`
      alter table "user"
        add column role text not null default 'customer',
        add column phone text,
        add column locale text not null default 'en',
        add column "licenseNumber" text,
        add column "officeName" text,
        add constraint user_role_check check (role in ('customer', 'agent')),
        add constraint user_locale_check check (locale in ('en', 'es'))`);
  }
}
