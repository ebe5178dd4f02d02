import { hasPublicPage, isPublicPicture } from '../database/listing-visibility.ts';
import { isSampleListing } from '../sample/sample-town.ts';

/**
 * Which records consumers of the feed may read (docs/feeds.md#what-is-served), and the only place that says so. The
 * triggers of 0174 note changes of at least these records; whether one is served is decided when it is numbered, and
 * again each time it is read. Listings of another feed are not served: no feed's terms allow it so far.
 */
export const RESOURCES = ['Office', 'Member', 'OpenHouse', 'Media', 'Property'] as const;
/** In the order in which changes of one moment are numbered: children before the listing, which names the others. */
export type PublishedResource = (typeof RESOURCES)[number];

/** SQL condition: the listing with this alias was made here, is public, and is none of the sample's. */
export const isServed = (property: string): string =>
  `(${hasPublicPage(property)} AND ${property}."feedId" IS NULL AND NOT ${isSampleListing(property)})`;

const OWNS = (person: string): string =>
  `EXISTS (SELECT FROM properties owned WHERE owned."ownerAgentId" = ${person}.id AND ${isServed('owned')})`;

/** SQL condition: the person with this alias is an agent with a listing that is served. */
export const isServedMember = (person: string): string => `(${person}.role = 'agent' AND ${OWNS(person)})`;

/** SQL conditions by resource: whether the record with the key of this SQL expression is served. */
export const IS_SERVED: Readonly<Record<PublishedResource, (key: string) => string>> = {
  Property: (key) => `EXISTS (SELECT FROM properties p WHERE p.id = ${key} AND ${isServed('p')})`,
  Media: (key) => `EXISTS (SELECT FROM property_images i JOIN properties p ON p.id = i."propertyId"
    WHERE i.id = ${key} AND ${isPublicPicture('i')} AND ${isServed('p')})`,
  OpenHouse: (key) => `EXISTS (SELECT FROM open_houses o JOIN properties p ON p.id = o."propertyId"
    WHERE o.id = ${key} AND ${isServed('p')})`,
  Member: (key) => `EXISTS (SELECT FROM "user" u WHERE u.id = ${key} AND ${isServedMember('u')})`,
  Office: (key) => `EXISTS (SELECT FROM "user" u WHERE u."officeName" IS NOT NULL
    AND office_key(u."officeName") = ${key} AND ${isServedMember('u')})`,
};
