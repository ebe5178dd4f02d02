import { OnlineMigration } from './online-migration.ts';

/** As in 0171: a license without spaces and signs. */
const plainLicense = (license: string): string =>
  `nullif(upper(regexp_replace(${license}, '[^A-Za-z0-9]', '', 'g')), '')`;

/**
 * The agent whose license a feed's record names gets the listing's tours and questions only where an operator has confirmed
 * the license, with its state: anyone may write a number into their own profile, and states give the same numbers. A changed
 * number is not confirmed. No release has had listings of feeds, so none is assigned by a number alone. The columns belong to
 * `agent_standings`: they go with the account, and no export has them, as all of that row.
 */
export class ConfirmedLicenses extends OnlineMigration {
  static override readonly online = [
    { column: '"confirmedLicense"', on: 'agent_standings', type: 'text' },
    { column: '"licenseState"', on: 'agent_standings', type: 'text' },
    { column: '"licenseConfirmedBy"', on: 'agent_standings', type: 'text' },
    {
      constraint: 'agent_standings_license_check',
      on: 'agent_standings',
      must: `check (num_nonnulls("confirmedLicense", "licenseState", "licenseConfirmedBy") in (0, 3))`,
    },
  ];

  override up(): void {
    for (const statement of AGENTS) this.addSql(statement);
  }
}

const AGENTS = [
  `create or replace function feed_agents_of(listing properties) returns setof uuid language sql stable as $$
     with licensed as (
       select u.id from "user" u join agent_standings s on s."agentId" = u.id
       where u.role = 'agent' and ${plainLicense('u."licenseNumber"')} = ${plainLicense('listing."listAgentLicense"')}
         and ${plainLicense('s."confirmedLicense"')} = ${plainLicense('u."licenseNumber"')}
         and upper(s."licenseState") = upper(listing."stateOrProvince")
         and u.email is not null and u."suspendedAt" is null and not u."feedUser"
         and not (s."needsApproval" and s."approvedAt" is null)),
     named as (select id from licensed where (select count(*) from licensed) = 1)
     select id from named
     union all
     select u.id from feeds f cross join unnest(f."contactAgents") contact (id) join "user" u on u.id = contact.id
     where f.id = listing."feedId" and not exists (select from named)
       and u.role = 'agent' and u.email is not null and u."suspendedAt" is null
   $$`,
  'drop trigger properties_updated_keep_feed_agents on properties',
  `create trigger properties_updated_keep_feed_agents after update on properties for each row
   when (new."feedId" is not null and (new."feedId" is distinct from old."feedId"
     or new."listAgentLicense" is distinct from old."listAgentLicense"
     or new."stateOrProvince" is distinct from old."stateOrProvince"))
   execute function properties_keep_feed_agents()`,
  'drop trigger agent_standings_keep_feed_listings on agent_standings',
  `create trigger agent_standings_keep_feed_listings after update on agent_standings for each row
   when ((old."needsApproval", old."approvedAt", old."confirmedLicense", old."licenseState")
     is distinct from (new."needsApproval", new."approvedAt", new."confirmedLicense", new."licenseState"))
   execute function approved_agents_keep_feed_listings()`,
  `create trigger agent_standings_inserted_keep_feed_listings after insert on agent_standings for each row
   when (new."confirmedLicense" is not null) execute function approved_agents_keep_feed_listings()`,
];
