import { webhookBaseProblem } from './host-rules.ts';
import type { Role } from './shape.ts';
import { COST_PREFIX, COST_VARIABLES, FOREIGN_SECRETS, UNREAD_TRACING_PREFIX } from './variables.ts';

export type Environment = Record<string, string | undefined>;

/** One line of a ConfigError: the variable and what is wrong with it. */
export interface ConfigProblem {
  variable: string;
  message: string;
}

function foreignSecrets(role: Role, env: Environment): ConfigProblem[] {
  return FOREIGN_SECRETS[role]
    .filter((variable) => env[variable] !== undefined)
    .map((variable) => ({ variable, message: `must not be set for the ${role} role: not its secret` }));
}

function webhookBase(env: Environment): ConfigProblem[] {
  const value = env.PROVIDER_WEBHOOK_BASE_URL;
  if (value === undefined) return [];
  const expected = webhookBaseProblem(value, env.PROVIDER_BASE_URL ?? '');
  if (!expected) return [];
  const message = `expected ${expected}, found ${JSON.stringify(value)}`;
  return [{ variable: 'PROVIDER_WEBHOOK_BASE_URL', message }];
}

function userHashSecret(env: Environment): ConfigProblem[] {
  const hashSecret = env.AI_STAGING_USER_HASH_SECRET;
  if (hashSecret === undefined || hashSecret !== env.AUTH_SECRET) return [];
  return [{ variable: 'AI_STAGING_USER_HASH_SECRET', message: 'must differ from AUTH_SECRET' }];
}

function dashboardPair(env: Environment): ConfigProblem[] {
  const hasUser = env.QUEUE_DASHBOARD_USER !== undefined;
  const hasPassword = env.QUEUE_DASHBOARD_PASSWORD !== undefined;
  if (hasUser === hasPassword) return [];
  const variable = hasUser ? 'QUEUE_DASHBOARD_PASSWORD' : 'QUEUE_DASHBOARD_USER';
  return [{ variable, message: 'expected both dashboard credentials or neither, found only the other one' }];
}

/** A misspelt name would be a price that nobody misses. */
function costs(env: Environment): ConfigProblem[] {
  return Object.entries(env)
    .filter(([variable]) => variable.startsWith(COST_PREFIX))
    .flatMap(([variable, value]) => {
      if (!COST_VARIABLES.includes(variable))
        return { variable, message: `expected the name to be one of ${COST_VARIABLES.join(', ')}` };
      if (/^\d{1,12}$/.test(value ?? '')) return [];
      return {
        variable,
        message: `expected an integer of micro-US-dollars, found ${JSON.stringify(value)}`,
      };
    });
}

function unreadTracing(env: Environment): ConfigProblem[] {
  return Object.keys(env)
    .filter((variable) => variable.startsWith(UNREAD_TRACING_PREFIX))
    .map((variable) => ({
      variable,
      message: `must not be set: expected ${variable.replace('_TRACES_', '_')}, which speaks for traces too`,
    }));
}

function ports(env: Environment): ConfigProblem[] {
  const apiPort = env.PORT ?? '3000';
  if (apiPort === '0' || apiPort !== (env.OPS_PORT ?? '3002')) return [];
  return [{ variable: 'OPS_PORT', message: `expected another port than PORT, found ${apiPort} for both` }];
}

/** What no single variable shows; `env` has its empty values already taken out. */
export function crossProblems(role: Role, env: Environment): ConfigProblem[] {
  const own = role === 'web' ? ports(env) : [...webhookBase(env), ...dashboardPair(env), ...costs(env)];
  return [...foreignSecrets(role, env), ...userHashSecret(env), ...unreadTracing(env), ...own];
}
