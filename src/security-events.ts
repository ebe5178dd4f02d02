/**
 * What happened to accounts, for those who look into an abuse: one log line each, `event: "security"`, with ids and networks
 * (/24 or /48) only (docs/contract.md#security-events). An address, a code or a token is never in it.
 */
interface SecurityFields {
  SIGNED_IN: {
    readonly way: string;
    readonly device: 'known' | 'new';
    readonly userId: string;
    readonly sessionId: string;
    readonly network: string | null;
  };
  /** `userId` is null at sign-in, where the person is not known yet. */
  CODE_REFUSED: {
    readonly purpose: string;
    readonly reason: string;
    readonly userId: string | null;
    readonly network: string | null;
  };
  /** At most one line in ten seconds for each rule; `refusedBefore` counts those without a line. */
  RATE_LIMITED: { readonly rule: string; readonly userId: string | null; readonly network: string | null };
  AGENT_INVITED: { readonly userId: string; readonly network: string | null };
  ROLE_CHANGED: { readonly userId: string; readonly newRole: string; readonly network: string | null };
  SESSIONS_ENDED: { readonly userId: string; readonly ended: number; readonly network: string | null };
  DATA_EXPORTED: { readonly userId: string; readonly network: string | null };
  ACCOUNT_DELETED: { readonly userId: string; readonly network: string | null };
}

/** The part of the log that is used here. */
export interface SecurityLog {
  info(fields: object, message: string): void;
}

export function logSecurityEvent<K extends keyof SecurityFields>(
  logger: SecurityLog,
  kind: K,
  fields: SecurityFields[K],
): void {
  logger.info({ event: 'security', kind, ...fields }, 'security event');
}
