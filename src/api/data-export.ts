import {
  type ExportPage,
  exportedAccounts,
  exportedAlertSettings,
  exportedAlerts,
  exportedAlterations,
  exportedConfirmations,
  exportedDescriptions,
  exportedFavorites,
  exportedHiddenHomes,
  exportedInvitations,
  exportedMessageReads,
  exportedMessageReports,
  exportedMessages,
  exportedOffers,
  exportedOpenHouses,
  exportedOperatorActs,
  exportedPushSubscriptions,
  exportedReports,
  exportedReviews,
  exportedRoomGroups,
  exportedSearches,
  exportedSeenHomes,
  exportedSessions,
  exportedSharedLists,
  exportedStagingJobs,
  exportedTourReads,
  exportedTours,
  exportedUploads,
  exportedWebhooks,
} from '../../persistence/accounts/data-export.ts';
import { readProfile } from '../../persistence/accounts/user-queries.ts';
import { propertiesOfAgent } from '../../persistence/listings/property-queries.ts';
import { PublicError } from '../errors/errors.ts';
import type { Caller } from '../limits/caller-limits.ts';
import { coarseNetworkOf } from '../limits/client-network.ts';
import { logSecurityEvent } from '../security-events.ts';
import {
  type DataExport,
  EXPORT_LISTS,
  EXPORT_PAGE,
  type ExportPlaces,
  exportCursor,
  toExportedTour,
} from '../wire/data-export.ts';
import { imageUrl } from '../wire/images.ts';
import { toOpenHouse } from '../wire/listings/open-houses.ts';
import { toOwnProperty } from '../wire/listings/properties.ts';
import { searchFilters } from '../wire/listings/search.ts';
import { toRoomGroup } from '../wire/room-groups.ts';
import { iso } from '../wire/text.ts';
import { toMe } from '../wire/users.ts';
import type { Services } from './services.ts';

type Lists = Pick<DataExport, (typeof EXPORT_LISTS)[number]>;

/**
 * One page of all data stored about the caller, without data that is private to other people. The mailed code is
 * valid for every page until it expires. Most people have one page.
 */
export async function exportData(
  services: Services,
  caller: Caller,
  { code, cursor }: { code: string; cursor: ExportPlaces | null },
): Promise<DataExport> {
  const { pool, accountCodes, clock, logger } = services;
  const { userId, ip } = caller;
  await accountCodes.check(caller, { purpose: 'export', code });
  const profile = await readProfile(pool, userId);
  if (profile === null) throw new PublicError('UNAUTHORIZED');
  // Once for the whole document.
  if (cursor === null) logSecurityEvent(logger, 'DATA_EXPORTED', { userId, network: coarseNetworkOf(ip) });
  const next: ExportPlaces = {};
  const pages = listsOf(services, userId);
  const read: Partial<Record<keyof Lists, unknown[]>> = {};
  for (const list of EXPORT_LISTS) {
    if (cursor !== null && cursor[list] === undefined) {
      read[list] = [];
      continue;
    }
    const page = { userId, afterId: cursor?.[list] ?? null, limit: EXPORT_PAGE + 1 };
    const rows = await pages[list](page);
    const shown = rows.slice(0, EXPORT_PAGE);
    const last = shown.at(-1);
    if (rows.length > EXPORT_PAGE && last !== undefined) next[list] = last.id;
    read[list] = shown.map(({ shown: item }) => item);
  }
  return {
    exportedAt: iso(clock.now()),
    profile: toMe(profile),
    ...(read as Lists),
    nextCursor: exportCursor(next),
  };
}

type ShownRow<T> = { id: string; shown: T };
type ListReaders = { [L in keyof Lists]: (page: ExportPage) => Promise<ShownRow<Lists[L][number]>[]> };

/** How each list is read and shown; the next page begins after `id`. */
function listsOf({ pool, clock, settings }: Services, userId: string): ListReaders {
  const as = <R extends { id: string }, T>(rows: R[], show: (row: R) => T): ShownRow<T>[] =>
    rows.map((row) => ({ id: row.id, shown: show(row) }));
  return {
    sessions: async (page) =>
      as(await exportedSessions(pool, page), ({ id, createdAt, expiresAt, lastUsedAt, ...rest }) => ({
        sessionId: id,
        createdAt: iso(createdAt),
        expiresAt: iso(expiresAt),
        lastUsedAt: iso(lastUsedAt),
        ...rest,
      })),
    signInAccounts: async (page) =>
      as(await exportedAccounts(pool, page), ({ providerId, accountId, createdAt }) => ({
        provider: providerId,
        accountId,
        createdAt: iso(createdAt),
      })),
    favorites: async (page) =>
      as(await exportedFavorites(pool, page), ({ id, savedAt, ...rest }) => ({
        propertyId: id,
        savedAt: iso(savedAt),
        ...rest,
      })),
    sharedLists: async (page) =>
      as(await exportedSharedLists(pool, page), ({ name, withNotes, createdAt }) => ({
        name,
        withNotes,
        createdAt: iso(createdAt),
      })),
    seenHomes: async (page) => as(await exportedSeenHomes(pool, page), toMarkedHome),
    hiddenHomes: async (page) => as(await exportedHiddenHomes(pool, page), toMarkedHome),
    tours: async (page) => as(await exportedTours(pool, page), (tour) => toExportedTour(tour, userId)),
    listings: async ({ afterId, limit }) => {
      const owned = await propertiesOfAgent(pool, { agentId: userId, afterId, limit, owned: true });
      return owned.map((row) => ({ id: row.propertyId, shown: toOwnProperty(row, clock.now()) }));
    },
    uploads: async (page) =>
      as(await exportedUploads(pool, page), ({ id, createdAt, ...rest }) => ({
        imageId: id,
        url: imageUrl(settings.publicBaseUrl, id),
        createdAt: iso(createdAt),
        ...rest,
      })),
    roomGroups: async (page) =>
      as(await exportedRoomGroups(pool, page), ({ id: groupId, propertyId, ...group }) => ({
        propertyId,
        ...toRoomGroup({ groupId, ...group }),
      })),
    openHouses: async (page) =>
      as(await exportedOpenHouses(pool, page), ({ id: openHouseId, propertyId, ...house }) => ({
        propertyId,
        ...toOpenHouse({ openHouseId, ...house }, clock.now()),
      })),
    stagingJobs: async (page) => as(await exportedStagingJobs(pool, page), asJob),
    descriptions: async (page) => as(await exportedDescriptions(pool, page), asJob),
    mismatchReports: async (page) =>
      as(await exportedReports(pool, page), ({ id: reportId, createdAt, ...rest }) => ({
        reportId,
        createdAt: iso(createdAt),
        ...rest,
      })),
    offers: async (page) =>
      as(await exportedOffers(pool, page), ({ id: offerId, createdAt, expiresAt, endedAt, ...rest }) => ({
        offerId,
        createdAt: iso(createdAt),
        expiresAt: iso(expiresAt),
        endedAt: iso(endedAt),
        ...rest,
      })),
    invitations: async (page) =>
      as(
        await exportedInvitations(pool, page),
        ({ id: invitationId, createdAt, expiresAt, acceptedAt, ...rest }) => ({
          invitationId,
          createdAt: iso(createdAt),
          expiresAt: iso(expiresAt),
          acceptedAt: iso(acceptedAt),
          ...rest,
        }),
      ),
    alterations: async (page) =>
      as(await exportedAlterations(pool, page), ({ id: _, at, ...rest }) => ({ at: iso(at), ...rest })),
    operatorActs: async (page) =>
      as(await exportedOperatorActs(pool, page), ({ id: _, at, ...rest }) => ({ at: iso(at), ...rest })),
    tourReads: async (page) =>
      as(await exportedTourReads(pool, page), ({ id: tourId, version }) => ({ tourId, version })),
    messages: async (page) =>
      as(await exportedMessages(pool, page), ({ id: messageId, createdAt, ...rest }) => ({
        messageId,
        createdAt: iso(createdAt),
        ...rest,
      })),
    messageReports: async (page) =>
      as(await exportedMessageReports(pool, page), ({ id: reportId, createdAt, ...rest }) => ({
        reportId,
        createdAt: iso(createdAt),
        ...rest,
      })),
    pushSubscriptions: async (page) =>
      as(await exportedPushSubscriptions(pool, page), ({ id: sessionId, endpoint, createdAt }) => ({
        sessionId,
        endpoint,
        createdAt: iso(createdAt),
      })),
    webhooks: async (page) =>
      as(await exportedWebhooks(pool, page), ({ id: webhookId, createdAt, ...rest }) => ({
        webhookId,
        createdAt: iso(createdAt),
        ...rest,
      })),
    messageReads: async (page) =>
      as(await exportedMessageReads(pool, page), ({ id: threadId, seq }) => ({ threadId, seq })),
    savedSearches: async (page) =>
      as(await exportedSearches(pool, page), ({ id: searchId, filters, createdAt, ...rest }) => ({
        searchId,
        filters: searchFilters.parse(filters),
        createdAt: iso(createdAt),
        ...rest,
      })),
    alertSettings: async (page) =>
      as(await exportedAlertSettings(pool, page), ({ cadence, channels }) => ({ cadence, channels })),
    alerts: async (page) =>
      as(await exportedAlerts(pool, page), ({ id: alertId, createdAt, ...rest }) => ({
        alertId,
        createdAt: iso(createdAt),
        ...rest,
      })),
    disclosureConfirmations: async (page) =>
      as(await exportedConfirmations(pool, page), ({ id: _, at, ...rest }) => ({ at: iso(at), ...rest })),
    reviews: async (page) =>
      as(await exportedReviews(pool, page), ({ id: _, at, ...rest }) => ({ at: iso(at), ...rest })),
  };
}

const toMarkedHome = ({ id: propertyId, at }: { id: string; at: number }) => ({ propertyId, at: iso(at) });

const asJob = <R extends { id: string; createdAt: number }>({ id, createdAt, ...rest }: R) => ({
  aiJobId: id,
  createdAt: iso(createdAt),
  ...rest,
});
