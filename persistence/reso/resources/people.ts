import {
  date,
  type FeedSite,
  instant,
  key,
  MODIFIED,
  numbered,
  oneValue,
  quoted,
  type Resource,
  text,
} from '../fields.ts';
import { isServed, isServedMember } from '../served.ts';

export const memberResource = ({ name }: FeedSite): Resource => ({
  name: 'Member',
  key: 'MemberKey',
  from: 'published_records r JOIN "user" u ON u.id = r.key',
  where: `${numbered('Member')} AND ${isServedMember('u')}`,
  fields: {
    MemberKey: key('u.id', { isGiven: true }),
    MemberFullName: text('u.name', 150),
    MemberEmail: text('CASE WHEN u."emailPublic" THEN u.email END', 254),
    MemberPreferredPhone: text('u.phone', 50),
    MemberStateLicense: text('u."licenseNumber"', 120),
    MemberStatus: oneValue(`'Active'`, 'MemberStatus', null, 25),
    OfficeKey: key('office_key(u."officeName")'),
    OfficeName: text('u."officeName"', 255),
    ModificationTimestamp: MODIFIED,
    OriginatingSystemName: text(quoted(name), 255),
  },
  expansions: {},
});

/** An office is the name that its agents give: of spellings that differ in case alone, the first. */
export const officeResource = ({ name }: FeedSite): Resource => ({
  name: 'Office',
  key: 'OfficeKey',
  from: `published_records r JOIN LATERAL (SELECT min(btrim(u."officeName")) AS name FROM "user" u
    WHERE u."officeName" IS NOT NULL AND office_key(u."officeName") = r.key AND ${isServedMember('u')}) f
    ON f.name IS NOT NULL`,
  where: numbered('Office'),
  fields: {
    OfficeKey: key('r.key', { isGiven: true }),
    OfficeName: text('f.name', 255),
    ModificationTimestamp: MODIFIED,
    OriginatingSystemName: text(quoted(name), 255),
  },
  expansions: {},
});

export const openHouseResource = ({ name }: FeedSite): Resource => ({
  name: 'OpenHouse',
  key: 'OpenHouseKey',
  from: 'published_records r JOIN open_houses o ON o.id = r.key JOIN properties p ON p.id = o."propertyId"',
  where: `${numbered('OpenHouse')} AND ${isServed('p')}`,
  fields: {
    OpenHouseKey: key('o.id', { isGiven: true }),
    ListingKey: key('o."propertyId"'),
    OpenHouseDate: date('(o."startsAt" AT TIME ZONE p."propertyTimeZoneName")::date'),
    OpenHouseStartTime: instant('o."startsAt"'),
    OpenHouseEndTime: instant('o."endsAt"'),
    OpenHouseRemarks: text('o.remarks', 500),
    OpenHouseStatus: oneValue(
      `CASE WHEN o."canceledAt" IS NULL THEN 'Active' ELSE 'Canceled' END`,
      'OpenHouseStatus',
      null,
      25,
    ),
    OpenHouseType: oneValue(`'Public'`, 'OpenHouseType', null, 25),
    OriginalEntryTimestamp: instant('o."createdAt"'),
    ModificationTimestamp: MODIFIED,
    OriginatingSystemName: text(quoted(name), 255),
  },
  expansions: {},
});
