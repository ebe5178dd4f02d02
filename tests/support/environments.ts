import { ConfigError, loadWebConfig, loadWorkerConfig } from '../../src/config/config.ts';

/** What both roles need. */
const common = {
  DATABASE_URL: 'postgres://app:db%40pass@db.example.com/app',
  KV_URL: 'redis://:kvpass@kv.example.com:6379',
  PUBLIC_BASE_URL: 'https://api.example.com',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY_ID: 'access',
  S3_SECRET_ACCESS_KEY: 's3-secret-value',
  S3_BUCKET: 'pictures',
};
/** The least that the web role starts with. */
export const web = {
  ...common,
  AUTH_SECRET: 'a'.repeat(40),
  SMTP_URL: 'smtps://mailer:mailpass@mail.example.com',
  MAIL_FROM: 'Proscenium <no-reply@example.com>',
  PROVIDER_WEBHOOK_SIGNING_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};
/** The least that the worker starts with. */
export const worker = {
  ...common,
  PROVIDER_API_TOKEN: 'r8_token-value',
  PROVIDER_WEBHOOK_BASE_URL: 'https://api.example.com',
  AI_STAGING_USER_HASH_SECRET: '0123456789abcdef'.repeat(4),
};
const loaders = { web: loadWebConfig, worker: loadWorkerConfig };

/** Why a role refuses an environment. */
export function failure(role: 'web' | 'worker', env: Record<string, string | undefined>): ConfigError {
  try {
    loaders[role](env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the environment was accepted');
}

/** The variables that an error names. */
export const named = (error: ConfigError): string[] => error.problems.map((problem) => problem.variable);
