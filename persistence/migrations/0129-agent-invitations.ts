import { OnlineMigration } from './online-migration.ts';

/**
 * Invitations of agents (docs/contract.md#invitations). An invitation belongs to the agent or the operator who made it,
 * and to the person who accepted it. The deletion of either account removes it, as does that of the account with the
 * invited address; both find it in their export. It stays for 30 days after its end, which is 14 days after it was
 * made. The secret of the mail is stored as a hash. A mail's row is removed when the mail was sent, or with its
 * invitation.
 */
export class AgentInvitations extends OnlineMigration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table agent_invitations (
     id uuid primary key default gen_random_uuid(),
     email text not null,
     "officeName" text not null,
     locale text not null,
     "invitedById" uuid references "user" (id),
     by text,
     reason text,
     "secretHash" text,
     "createdAt" timestamptz not null,
     "expiresAt" timestamptz not null,
     "acceptedAt" timestamptz,
     "acceptedById" uuid references "user" (id),
     constraint agent_invitations_maker_check check (num_nonnulls("invitedById", by) = 1
       and (by is null) = (reason is null)),
     constraint agent_invitations_time_check check ("expiresAt" > "createdAt"),
     constraint agent_invitations_end_check check (
       ("acceptedAt" is null) = ("acceptedById" is null) and ("acceptedAt" is null or "acceptedAt" < "expiresAt"))
   )`,
  // Operators are one maker.
  `create unique index agent_invitations_email_key on agent_invitations (email, "invitedById") nulls not distinct`,
  `create unique index agent_invitations_secret_key on agent_invitations ("secretHash")`,
  `create index agent_invitations_maker_idx on agent_invitations ("invitedById")`,
  `create index agent_invitations_accepted_idx on agent_invitations ("acceptedById")`,
  `create index agent_invitations_expiry_idx on agent_invitations ("expiresAt")`,
  `create trigger agent_invitations_refuse_tombstones before insert or update on agent_invitations
   for each row execute function refuse_tombstones('invitedById', 'acceptedById')`,
  `create trigger agent_invitations_made_refuse_suspended before insert or update on agent_invitations
   for each row when (new."acceptedAt" is null) execute function refuse_suspended('invitedById')`,
  `create trigger agent_invitations_accepted_refuse_suspended before update on agent_invitations
   for each row execute function refuse_suspended('acceptedById')`,
  `create function agent_invitations_stay_accepted() returns trigger language plpgsql as $$
   begin
     raise exception 'invitation % was accepted', old.id
       using errcode = '23514', constraint = 'agent_invitations_stay_accepted';
   end $$`,
  `create trigger agent_invitations_stay_accepted before update on agent_invitations
   for each row when (old."acceptedAt" is not null) execute function agent_invitations_stay_accepted()`,
  `create table agent_invitation_mails (
     id uuid primary key references agent_invitations (id) on delete cascade,
     attempts integer not null default 0,
     "nextAttemptAt" timestamptz not null
   )`,
  'create index agent_invitation_mails_due_idx on agent_invitation_mails ("nextAttemptAt")',
  `insert into retention_cuts (what) values ('invitations')`,
];
