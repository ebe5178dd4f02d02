import { OnlineMigration } from './online-migration.ts';

/**
 * Clients of the feed (docs/feeds.md#clients), which an operator makes, and their tokens. Both belong to the platform and not to
 * a person with an account, so no deletion or export of one concerns them. A client stays, also when it is revoked or has
 * ended, so that its acts keep their subject. Tokens stay an hour after their end, at most 20 for a client.
 */
export class ApiClients extends OnlineMigration {
  static override readonly online = [
    // The function is of 0174.
    { index: 'user_office_key_idx', on: '"user" (office_key("officeName")) where "officeName" is not null' },
    { column: '"clientId"', on: 'operator_acts', type: 'uuid' },
    {
      index: 'operator_acts_client_idx',
      on: 'operator_acts ("clientId", at) where "clientId" is not null',
    },
    {
      constraint: 'operator_acts_subject_next',
      on: 'operator_acts',
      must: 'check (num_nonnulls("personId", "propertyId", "invitationId", "clientId") = 1)',
    },
  ];

  override up(): void {
    this.addSql(
      `create table api_clients (
         id uuid primary key,
         name text not null unique,
         "secretHash" bytea not null,
         scopes text[] not null,
         "perMinute" integer not null,
         "createdAt" timestamptz not null,
         "expiresAt" timestamptz not null,
         "revokedAt" timestamptz,
         constraint api_clients_name_check check (char_length(name) between 1 and 60),
         constraint api_clients_scopes_check check (scopes <@ array['reso.read'] and cardinality(scopes) > 0),
         constraint api_clients_rate_check check ("perMinute" between 1 and 100000)
       )`,
    );
    this.addSql(
      `create table api_tokens (
         hash bytea primary key,
         "clientId" uuid not null references api_clients (id) on delete cascade,
         "createdAt" timestamptz not null,
         "expiresAt" timestamptz not null
       )`,
    );
    this.addSql('create index api_tokens_of_client_idx on api_tokens ("clientId", "createdAt")');
    this.addSql('alter table operator_acts drop constraint operator_acts_subject_check');
    this.addSql(
      'alter table operator_acts rename constraint operator_acts_subject_next to operator_acts_subject_check',
    );
  }
}
