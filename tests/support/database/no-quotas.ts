/** For web roles in tests whose few agents stage very much; tests of quotas set their own numbers. */
export const NO_QUOTAS = {
  AI_STAGING_QUOTA_HOUR: '0',
  AI_STAGING_QUOTA_DAY: '0',
  AI_STAGING_QUOTA_FIRST_DAY: '0',
  AI_STAGING_QUOTA_PLATFORM_DAY: '0',
  AI_STAGING_OPEN_JOBS_PER_AGENT: '0',
};
