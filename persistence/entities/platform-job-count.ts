import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Staging jobs of everybody on one day, UTC. */
export const PlatformJobCountEntity = defineEntity({
  name: 'PlatformJobCount',
  tableName: 'platform_job_counts',
  properties: {
    /** Its first instant. */
    day: p.datetime().primary(),
    jobs: p.integer(),
    /** Those of them whose agents no operator had approved. */
    unapprovedJobs: p.integer(),
  },
});
export type PlatformJobCount = InferEntity<typeof PlatformJobCountEntity>;
