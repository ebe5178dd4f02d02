import { isLocale, type Locale, type SiteLanguages, spoken } from '../../i18n/languages.ts';

/** The signed-in person, read from the database with every request, so a change of role or profile is seen at once. */
export interface SessionUser {
  id: string;
  /** The id of the session, not its token. */
  sessionId: string;
  email: string;
  /** Empty until a new account has set it. */
  name: string;
  image: string | null;
  role: 'customer' | 'agent';
  /** One that the site offers. */
  locale: Locale;
  phone: string | null;
  licenseNumber: string | null;
  officeName: string | null;
  createdAt: Date;
  /** When a mailed code last confirmed this session; null for never. */
  verifiedAt: Date | null;
  /** By an operator: the person may read, export and delete, and change nothing else. */
  isSuspended: boolean;
}

/**
 * Columns of `user` beyond better-auth's own. Clients cannot set them: profile procedures do
 * (docs/contract.md#sign-in).
 */
export const PROFILE_FIELDS = {
  role: { type: 'string', input: false, defaultValue: 'customer' },
  locale: { type: 'string', input: false, defaultValue: 'en' },
  phone: { type: 'string', input: false, required: false },
  licenseNumber: { type: 'string', input: false, required: false },
  officeName: { type: 'string', input: false, required: false },
  suspendedAt: { type: 'date', input: false, required: false },
} as const;

/** Columns of `session` beyond better-auth's own. A new session never had a cookie with the earlier name. */
export const SESSION_FIELDS = {
  lastUsedAt: { type: 'date', input: false, required: false },
  verifiedAt: { type: 'date', input: false, required: false, defaultValue: null },
  earlierNameSince: { type: 'date', input: false, required: false, returned: false, defaultValue: null },
} as const;

type UserRow = Pick<SessionUser, 'id' | 'email' | 'name' | 'createdAt'> & {
  [column in Exclude<keyof typeof PROFILE_FIELDS, 'suspendedAt'> | 'image']?: string | null | undefined;
} & { suspendedAt?: Date | null | undefined };

/** From better-auth's view of the rows, in a language of the site; anything but the exact word `agent` is a customer. */
export function toSessionUser(
  { user: row, session }: { user: UserRow; session: { id: string; verifiedAt?: Date | null | undefined } },
  site: SiteLanguages,
): SessionUser {
  return {
    id: row.id,
    sessionId: session.id,
    email: row.email,
    name: row.name,
    image: row.image ?? null,
    role: row.role === 'agent' ? 'agent' : 'customer',
    locale: isLocale(row.locale) ? spoken(site, row.locale) : site.defaultLanguage,
    phone: row.phone ?? null,
    licenseNumber: row.licenseNumber ?? null,
    officeName: row.officeName ?? null,
    createdAt: new Date(row.createdAt),
    verifiedAt: session.verifiedAt ?? null,
    isSuspended: row.suspendedAt != null,
  };
}
