import { MAX_OPEN_HOUSES } from '../../../machines/limits.ts';
import { instant, text } from './values.ts';

/** When a home may be visited without asking, as its record says. */
export interface FeedOpenHouse {
  readonly key: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly remarks: string | null;
}

type Body = Readonly<Record<string, unknown>>;
const MINUTE = 60_000;
/** What our own open houses take. */
const [SHORTEST, LONGEST] = [15 * MINUTE, 480 * MINUTE];
const remarks = text(500);

/**
 * The open houses ahead of a listing, out of its records: public ones that are not canceled and have a beginning and an end.
 * Of two at one time the first one counts, and at most twenty do. Pure.
 * @param at now, in milliseconds
 */
export function mapOpenHouses(
  records: readonly { readonly key: string; readonly raw: Body }[],
  { at, showsRemarks }: { at: number; showsRemarks(text: string): boolean },
): FeedOpenHouse[] {
  const found = records.flatMap(({ key, raw }) => {
    const [startsAt, endsAt] = [instant(raw.OpenHouseStartTime), instant(raw.OpenHouseEndTime)];
    if (startsAt === undefined || endsAt === undefined || endsAt <= at || !isPublic(raw)) return [];
    if (endsAt - startsAt < SHORTEST || endsAt - startsAt > LONGEST) return [];
    const said = remarks(raw.OpenHouseRemarks) ?? null;
    return [{ key, startsAt, endsAt, remarks: said !== null && showsRemarks(said) ? said : null }];
  });
  const sorted = found.toSorted(
    (one, other) => one.startsAt - other.startsAt || (one.key < other.key ? -1 : 1),
  );
  const kept: FeedOpenHouse[] = [];
  for (const one of sorted) if (one.startsAt >= (kept.at(-1)?.endsAt ?? 0)) kept.push(one);
  return kept.slice(0, MAX_OPEN_HOUSES);
}

/** Those for brokers and offices are not; without a type it is meant for everyone. */
function isPublic({ OpenHouseStatus: status, OpenHouseType: type }: Body): boolean {
  const isOn = status === undefined || status === null || status === '' || status === 'Active';
  return isOn && (type === undefined || type === null || type === '' || type === 'Public');
}
