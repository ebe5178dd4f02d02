/**
 * The session as a client has it: the cookies that go out with every request, and the one place where they change.
 *
 * Always true: the Cookie header is what `Set-Cookie` headers of this session's answers made it, nothing else; an
 * answer that belongs to an earlier session changes nothing in a later one; a session ends once, with one event.
 * For that, every request takes a `Ticket` along: the session it was sent under, and the session cookie it carried.
 * A 401 ends the session only if it was an answer to the very cookie that is held now. (Answered to an older one, it
 * says nothing about the present one: the next request will.) Only the device's cookie lasts into the next session.
 *
 * Memory decides and storage follows, in order. A process that dies between the two starts with the cookie before,
 * which the server either still takes or answers with 401.
 */
import { parseSetCookie } from './set-cookie.ts';

/** Where the Cookie header is kept between starts: keychain, encrypted preferences. Holds one string. */
export interface SecureStore {
  read(): Promise<string | null>;
  write(cookieHeader: string): Promise<void>;
  clear(): Promise<void>;
}

/** Why the session ended: a 401, the server removed the cookie, or the person signed out. */
export type SignOutReason = 'unauthorized' | 'cookie-removed' | 'asked';

/** What a request was sent with. */
export interface Ticket {
  readonly session: number;
  readonly cookieHeader: string | null;
  readonly sessionCookie: string | null;
}

export interface Heard {
  readonly status: number;
  readonly setCookies: readonly string[];
}

/**
 * better-auth's name, with or without its prefixes (docs/provider.md#better-auth). Other cookies are kept but prove
 * nothing.
 */
const SESSION_COOKIE = /(?:^|[.-])session_token$/;
/** By it the server knows the device: a code belongs to it, and it is known after a sign-in. It outlives the session. */
const DEVICE_COOKIE = /(?:^|[.-])device$/;

type Cookies = ReadonlyMap<string, string>;

export interface SessionParts {
  readonly store: SecureStore;
  readonly now: () => number;
  /** Storage could not follow. The call continues: what the server did is done, and memory has the cookie. */
  readonly storeFailed: (error: unknown) => void;
}

export class Session {
  readonly #store: SecureStore;
  readonly #now: () => number;
  readonly #storeFailed: (error: unknown) => void;
  readonly #listeners = new Set<(reason: SignOutReason) => void>();
  #number = 0;
  #cookies: Cookies = new Map();
  #loading: Promise<void> | null = null;
  /** The last write to storage; the next one waits for it. Never rejects. */
  #stored: Promise<void> = Promise.resolve();

  constructor({ store, now, storeFailed }: SessionParts) {
    this.#store = store;
    this.#now = now;
    this.#storeFailed = storeFailed;
  }

  /** What to send a request with now. Rejects when storage cannot be read; the next call reads again. */
  async ticket(): Promise<Ticket> {
    await this.#load();
    return {
      session: this.#number,
      cookieHeader: headerOf(this.#cookies),
      sessionCookie: sessionCookieOf(this.#cookies),
    };
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.ticket()).sessionCookie !== null;
  }

  /** True while requests of this ticket's session may go out. */
  isCurrent(ticket: Ticket): boolean {
    return ticket.session === this.#number;
  }

  /** Calls `listener` at every sign-out, once each. Returns the way to stop. */
  onSignedOut(listener: (reason: SignOutReason) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes in an answer to a request sent with `ticket`; resolves when storage has followed. */
  async heard(ticket: Ticket, { status, setCookies }: Heard): Promise<void> {
    const held = sessionCookieOf(this.#cookies);
    if (status === 401 && ticket.sessionCookie !== null && ticket.sessionCookie === held) {
      this.#end('unauthorized');
    } else if (this.isCurrent(ticket) && setCookies.length > 0) {
      this.#cookies = applied(this.#cookies, { setCookies, now: this.#now() });
      if (held !== null && sessionCookieOf(this.#cookies) === null) this.#end('cookie-removed');
      else this.#persist();
    }
    await this.#stored;
  }

  /**
   * A sign-in was answered with success: its cookies begin a new session, whatever was held before but the device's.
   * False, and nothing changes, when there is no session cookie among them.
   */
  async begin({ setCookies }: Heard): Promise<boolean> {
    const cookies = applied(deviceOf(this.#cookies), { setCookies, now: this.#now() });
    if (sessionCookieOf(cookies) === null) return false;
    this.#number += 1;
    this.#cookies = cookies;
    this.#persist();
    await this.#stored;
    return true;
  }

  /** Ends the session if there is one. */
  async end(reason: SignOutReason): Promise<void> {
    await this.#load();
    if (sessionCookieOf(this.#cookies) !== null) this.#end(reason);
    await this.#stored;
  }

  #end(reason: SignOutReason): void {
    this.#number += 1;
    this.#cookies = deviceOf(this.#cookies);
    this.#persist();
    for (const listener of [...this.#listeners]) listener(reason);
  }

  #persist(): void {
    const header = headerOf(this.#cookies);
    const write = () => (header === null ? this.#store.clear() : this.#store.write(header));
    this.#stored = this.#stored.then(write).catch(this.#storeFailed);
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    const header = (await this.#store.read()) ?? '';
    const setCookies = header.split(';');
    this.#cookies = applied(new Map(), { setCookies, now: this.#now() });
  }
}

function applied(
  cookies: Cookies,
  { setCookies, now }: { setCookies: readonly string[]; now: number },
): Cookies {
  const changed = new Map(cookies);
  for (const header of setCookies) {
    const change = parseSetCookie(header, now);
    if (change === null) continue;
    if (change.value === null) changed.delete(change.name);
    else changed.set(change.name, change.value);
  }
  return changed;
}

function deviceOf(cookies: Cookies): Cookies {
  return new Map([...cookies].filter(([name]) => DEVICE_COOKIE.test(name)));
}

function headerOf(cookies: Cookies): string | null {
  return cookies.size === 0 ? null : [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function sessionCookieOf(cookies: Cookies): string | null {
  for (const [name, value] of cookies) if (SESSION_COOKIE.test(name) && value !== '') return value;
  return null;
}

/** Keeps the cookie as long as the process lives: for tests and scripts, not for a device. */
export function memoryStore(initial: string | null = null): SecureStore {
  let held = initial;
  const hold = async (cookieHeader: string | null) => {
    held = cookieHeader;
  };
  return { read: async () => held, write: hold, clear: () => hold(null) };
}
