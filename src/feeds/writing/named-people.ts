import type { FeedPageWriter } from '../../../persistence/feeds/feed-page.ts';
import type { FeedRecord } from '../reading/feed-reading.ts';

type Body = FeedRecord['body'];

/** What a listing says by a key only, and the fields of the person or office that say it. */
const NAMED = [
  {
    resource: 'Member',
    by: 'ListAgentKey',
    fields: { ListAgentFullName: 'MemberFullName', ListAgentStateLicense: 'MemberStateLicense' },
  },
  {
    resource: 'Office',
    by: 'ListOfficeKey',
    fields: { ListOfficeName: 'OfficeName', ListOfficePhone: 'OfficePhone' },
  },
] as const;
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * How a listing's record is read: with the names, license and phone of the agent and office that it names by their keys alone.
 * What it says itself counts.
 */
export async function withNames(
  writer: Pick<FeedPageWriter, 'named'>,
  records: readonly FeedRecord[],
): Promise<(record: FeedRecord) => Body> {
  const listings = records.filter(({ resource }) => resource === 'Property');
  const wanted = listings.flatMap(({ body }) =>
    NAMED.flatMap(({ resource, by, fields }) => {
      const key = body[by];
      const isWhole = Object.keys(fields).every((name) => isGiven(body[name]));
      return typeof key === 'string' && !isWhole ? [{ resource, key }] : [];
    }),
  );
  const found = wanted.length === 0 ? [] : await writer.named(wanted);
  const known = new Map(found.map(({ resource, key, raw }) => [`${resource} ${key}`, raw]));
  return ({ body }) => {
    const more = NAMED.flatMap(({ resource, by, fields }) => {
      const raw = known.get(`${resource} ${body[by]}`);
      if (raw === undefined) return [];
      return Object.entries(fields).flatMap(([name, from]) =>
        isGiven(body[name]) || !isGiven(raw[from]) ? [] : [[name, raw[from]] as const],
      );
    });
    return more.length === 0 ? body : { ...body, ...Object.fromEntries(more) };
  };
}
