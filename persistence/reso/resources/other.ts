import { PHOTO_SUBJECTS } from '../../../machines/disclosure/photo-subject.ts';
import { type FeedSite, int, numbered, quoted, type Resource, text } from '../fields.ts';
import { LOOKUPS } from '../lookups.ts';
import { isServed } from '../served.ts';
import { FEATURE_LOOKUPS } from './property.ts';

/** Values that every installation serves. Those of places are read from the listings. */
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const FIXED: Readonly<Record<string, readonly string[]>> = {
  ...LOOKUPS,
  ...FEATURE_LOOKUPS,
  ImageOf: [...new Set([...LOOKUPS.ImageOf, ...PHOTO_SUBJECTS])],
  ShowingDays: WEEKDAYS,
};
/** Of the release that last changed the values. */
const FIXED_AT = '2026-12-01T00:00:00Z';
const PLACES = {
  City: 'p.city',
  CountyOrParish: 'p."countyOrParish"',
  StateOrProvince: 'p."stateOrProvince"',
  Country: 'p.country',
  IanaTimeZoneValues: 'p."propertyTimeZoneName"',
} as const;

const rows = Object.entries(FIXED).flatMap(([name, values]) =>
  values.map((value) => `(${quoted(name)}, ${quoted(value)})`),
);
const ofListings = Object.entries(PLACES).map(
  ([name, column]) => `SELECT '${name}', ${column}, min(r."modifiedAt"), false
    FROM published_records r JOIN properties p ON p.id = r.key
    WHERE ${numbered('Property')} AND ${isServed('p')} AND ${column} IS NOT NULL GROUP BY ${column}`,
);
const ALL = `(SELECT name, value, timestamptz '${FIXED_AT}' AS at, true AS "isStandard" FROM (VALUES ${rows.join(', ')}) f (name, value)
  UNION ALL ${ofListings.join(' UNION ALL ')}) l`;

export const lookupResource = (): Resource => ({
  name: 'Lookup',
  key: 'LookupKey',
  from: ALL,
  where: 'true',
  fields: {
    LookupKey: { ...text(`(l.name || ':' || l.value) COLLATE "C"`, 600), isGiven: true },
    LookupName: { ...text('l.name', 255), isGiven: true },
    LookupValue: { ...text('l.value', 255), isGiven: true },
    StandardLookupValue: text('CASE WHEN l."isStandard" THEN l.value END', 255),
    LegacyODataValue: text('NULL::text', 255),
    ModificationTimestamp: { type: 'instant', sql: 'l.at', isGiven: true },
  },
  expansions: {},
});

/** Every record that consumers may know, by the number of its last change; also what is gone, for as long as it is kept. */
export const entityEventResource = ({ origin }: FeedSite): Resource => ({
  name: 'EntityEvent',
  key: 'EntityEventSequence',
  from: 'published_records r',
  where: 'true',
  fields: {
    EntityEventSequence: { ...int('r.seq'), isGiven: true },
    ResourceName: { ...text('r.resource', 255), isGiven: true },
    ResourceRecordKey: { ...text('r.key::text', 255), isGiven: true },
    ResourceRecordUrl: text(
      `${quoted(`${origin}/reso/odata/`)} || r.resource || '(''' || r.key || ''')'`,
      8000,
    ),
  },
  expansions: {},
});
