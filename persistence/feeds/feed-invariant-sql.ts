import { LISTING_HASH } from './listing-columns.ts';

/** Listings and records that differ, one line each (I47). */
export const LISTINGS_UNLIKE_THEIR_RECORDS = `
  select format('record %s of feed %s has no listing', r.key, r."feedId") from feed_records r
  where r.resource = 'Property' and r.state = 'CURRENT' and r."propertyId" is null
  union all
  select format('listing %s of feed %s is not as its record', p.id, p."feedId")
  from feed_records r join properties p on p.id = r."propertyId"
  where r.resource = 'Property' and r.state = 'CURRENT'
    and (p."feedId" is distinct from r."feedId" or r."mappedHash" is distinct from ${LISTING_HASH})
  union all
  select format('listing %s of feed %s has no current record', p.id, p."feedId") from properties p
  where p."feedId" is not null and p."standardStatus" <> 'Delete' and not exists (
    select from feed_records r where r."propertyId" = p.id and r."feedId" = p."feedId" and r.resource = 'Property'
      and r.state = 'CURRENT')`;

/** What of a feed is public although its record or its feed does not allow it (I48). */
export const FEED_LISTINGS_AGAINST_THEIR_RULE = `
  select format('listing %s is public, and its record forbids it', p.id)
  from feed_records r join properties p on p.id = r."propertyId"
  where r.resource = 'Property' and r.state = 'CURRENT' and not p."hiddenFor" @> '{FEED_RULE}'
    and lower(r.raw ->> 'InternetEntireListingDisplayYN') in ('false', 'n', 'no', '0')
  union all
  select format('listing %s shows its address, and its record forbids it', p.id)
  from feed_records r join properties p on p.id = r."propertyId"
  where r.resource = 'Property' and r.state = 'CURRENT' and p."showAddress"
    and lower(r.raw ->> 'InternetAddressDisplayYN') in ('false', 'n', 'no', '0')
  union all
  select format('listing %s is found by search, and is hidden', s."propertyId")
  from search_listings s join properties p on p.id = s."propertyId"
  where p."feedId" is not null and (p."hiddenFor" <> '{}' or p."standardStatus" = 'Delete')
  union all
  select format('listing %s of a feed is worked on by %s', a."propertyId", a."agentId")
  from property_agents a join properties p on p.id = a."propertyId" where p."feedId" is not null
  union all
  select format('picture %s of listing %s is here, and its record forbids it', m."imageId", m."propertyId")
  from feed_records r join feed_media m on m."propertyId" = r."propertyId" cross join lateral jsonb_array_elements(
    case jsonb_typeof(r.raw -> 'Media') when 'array' then r.raw -> 'Media' else '[]' end) media (row)
  where r.resource = 'Property' and r.state = 'CURRENT' and m."imageId" is not null and media.row ->> 'MediaKey' = m.key
    and media.row -> 'Permission' ?| '{Private,Agent Only,Firm Only,Office Only}'
  union all
  select format('session %s is of the user of a feed', s.id) from session s join "user" u on u.id = s."userId"
  where u."feedUser"`;
