import { OnlineMigration } from './online-migration.ts';

/** A license without spaces and signs, which people write differently. An index may have it. */
const plainLicense = (license: string): string =>
  `nullif(upper(regexp_replace(${license}, '[^A-Za-z0-9]', '', 'g')), '')`;

/**
 * What of a feed's listing is shown (docs/contract.md#display-rules), decided once, for every reader.
 *
 * A row of `properties` never holds an address or a position that may not be shown: no query can then show, find, count or
 * suggest it. The record of the feed has both, and brings them back with the next change of the rule. The agents here who
 * answer for a feed's listing are its assigned agents, kept in step by triggers; their rows go with the listing or the
 * account, as all of `property_agents`. Neither adds a table.
 */
export class FeedDisplay extends OnlineMigration {
  static override readonly online = [
    {
      backfill: `update properties set address = '', "unitNumber" = null, latitude = null, longitude = null
        where id in (select id from properties where not "showAddress" and address <> '' limit $1)`,
    },
    {
      constraint: 'properties_shown_address_check',
      on: 'properties',
      must: `check ("showAddress" or (address = '' and "unitNumber" is null and latitude is null and longitude is null))`,
    },
    {
      index: 'properties_list_license_idx',
      on: `properties ((${plainLicense('"listAgentLicense"')})) where "feedId" is not null`,
    },
    { index: 'user_license_idx', on: `"user" ((${plainLicense('"licenseNumber"')})) where role = 'agent'` },
  ];

  override up(): void {
    for (const statement of [...ADDRESS, ...AGENTS]) this.addSql(statement);
  }
}

// The name makes it the first of the triggers before a change, so that the others see the row as it is stored.
const ADDRESS = [
  `create function properties_blank_address() returns trigger language plpgsql as $$
   begin
     new.address := '';
     new."unitNumber" := null;
     new.latitude := null;
     new.longitude := null;
     return new;
   end $$`,
  `create trigger properties_blank_address before insert or update on properties for each row
   when (not new."showAddress") execute function properties_blank_address()`,
];

// The agent whose license the record names, unless several claim it, else the feed's contacts. An agent with an instant in
// "assignedAt" has accepted an offer (I50); these have not, and have none.
const AGENTS = [
  `create function feed_agents_of(listing properties) returns setof uuid language sql stable as $$
     with licensed as (
       select u.id from "user" u
       where u.role = 'agent' and ${plainLicense('u."licenseNumber"')} = ${plainLicense('listing."listAgentLicense"')}
         and u.email is not null and u."suspendedAt" is null and not u."feedUser"
         and not exists (select from agent_standings s
           where s."agentId" = u.id and s."needsApproval" and s."approvedAt" is null)),
     named as (select id from licensed where (select count(*) from licensed) = 1)
     select id from named
     union all
     select u.id from feeds f cross join unnest(f."contactAgents") contact (id) join "user" u on u.id = contact.id
     where f.id = listing."feedId" and not exists (select from named)
       and u.role = 'agent' and u.email is not null and u."suspendedAt" is null
   $$`,
  `create function keep_feed_agents(listing properties) returns void language plpgsql as $$
   begin
     delete from property_agents where "propertyId" = listing.id and "assignedAt" is null
       and "agentId" not in (select feed_agents_of(listing));
     insert into property_agents ("propertyId", "agentId", "assignedAt")
     select listing.id, agent, null from feed_agents_of(listing) agent on conflict do nothing;
   end $$`,
  `create function properties_keep_feed_agents() returns trigger language plpgsql as $$
   begin
     perform keep_feed_agents(new);
     return null;
   end $$`,
  `create trigger properties_inserted_keep_feed_agents after insert on properties for each row
   when (new."feedId" is not null) execute function properties_keep_feed_agents()`,
  `create trigger properties_updated_keep_feed_agents after update on properties for each row
   when (new."feedId" is not null and (new."feedId" is distinct from old."feedId"
     or new."listAgentLicense" is distinct from old."listAgentLicense"))
   execute function properties_keep_feed_agents()`,
  `create function feeds_keep_agents() returns trigger language plpgsql as $$
   begin
     perform keep_feed_agents(p) from properties p where p."feedId" = new.id;
     return null;
   end $$`,
  `create trigger feeds_keep_agents after update on feeds for each row
   when (new."contactAgents" is distinct from old."contactAgents") execute function feeds_keep_agents()`,
  `create function agents_keep_feed_listings() returns trigger language plpgsql as $$
   begin
     perform keep_feed_agents(p) from properties p where p."feedId" is not null
       and ${plainLicense('p."listAgentLicense"')}
         in (${plainLicense('old."licenseNumber"')}, ${plainLicense('new."licenseNumber"')});
     return null;
   end $$`,
  `create trigger user_keep_feed_listings after update on "user" for each row
   when (row(old."licenseNumber", old.role, old."suspendedAt", old.email)
     is distinct from row(new."licenseNumber", new.role, new."suspendedAt", new.email))
   execute function agents_keep_feed_listings()`,
  `create function approved_agents_keep_feed_listings() returns trigger language plpgsql as $$
   begin
     perform keep_feed_agents(p) from properties p, "user" u where u.id = new."agentId" and p."feedId" is not null
       and ${plainLicense('p."listAgentLicense"')} = ${plainLicense('u."licenseNumber"')};
     return null;
   end $$`,
  `create trigger agent_standings_keep_feed_listings after update on agent_standings for each row
   when ((old."needsApproval", old."approvedAt") is distinct from (new."needsApproval", new."approvedAt"))
   execute function approved_agents_keep_feed_listings()`,
];
