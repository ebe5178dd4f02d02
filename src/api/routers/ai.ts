import { FURNITURE_CATALOGUE } from '../../../machines/furniture-catalogue.ts';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES, DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { furnitureCatalogue } from '../../wire/room-groups.ts';
import { catalogOutput, submitInput, submitOutput } from '../../wire/staging-jobs.ts';
import { noInput } from '../../wire/text.ts';
import { agentProcedure, publicProcedure, router } from '../base.ts';
import type { Services } from '../services.ts';
import { descriptionProcedures } from './descriptions.ts';
import { roomGroupProcedures } from './room-groups.ts';
import { stagedVariantProcedures } from './staged-variants.ts';
import { stagingJobProcedures } from './staging-jobs.ts';
import { stagingQuotaProcedures } from './staging-quota.ts';
import { submitRoomStaging } from './staging-submission.ts';

export function aiRouter(services: Services) {
  return router({
    getStagingCatalog: publicProcedure
      .input(noInput)
      .output(catalogOutput)
      .query(() => ({
        enabled: services.settings.stagingEnabled,
        roomTypes: [...CANONICAL_ROOM_TYPES],
        styles: [...CANONICAL_STYLES],
        disclosureLabel: DISCLOSURE_LABEL,
        furniture: furnitureCatalogue.parse(FURNITURE_CATALOGUE),
      })),
    submitRoomStaging: agentProcedure
      .meta({
        errors: [
          'STAGING_UNAVAILABLE',
          'UNKNOWN_STYLE',
          'STYLE_ALIAS_SUNSET',
          'UNKNOWN_ROOM_TYPE',
          'NOT_FOUND',
          'IMAGE_NOT_ORIGINAL',
          'ROOM_GROUP_MISMATCH',
          'PHOTO_TYPE_UNSUPPORTED',
          'PHOTO_TOO_LARGE',
          'PHOTO_BROKEN',
          'PHOTO_SHAPE',
          'PHOTO_TOO_SMALL',
          'UPLOAD_EXPIRED',
          'STAGING_QUOTA_REACHED',
          'AGENT_NOT_APPROVED',
        ],
      })
      .input(submitInput)
      .output(submitOutput)
      .mutation(({ ctx: { user, keepAnswer }, input: { groupId = null, assignments } }) =>
        submitRoomStaging(services, { agentId: user.id, groupId, assignments, keepAnswer }),
      ),
    ...descriptionProcedures(services),
    ...roomGroupProcedures(services),
    ...stagingJobProcedures(services),
    ...stagingQuotaProcedures(services),
    ...stagedVariantProcedures(services),
  });
}
