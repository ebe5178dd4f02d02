/**
 * Owns how many bytes of request bodies the process holds in memory, over all connections. Always true: the bodies of
 * one kind never exceed that kind's share, nor the limits per client network and per person within it. Room for the
 * whole announced length is taken before a body is read, so an admitted body never waits half-way. The room is free
 * again when the route is done with the bytes.
 *
 * When a share is full, the slowest body that sends slowly is rejected; if none is slow, the new one is. Both get
 * SERVICE_UNAVAILABLE with Retry-After. A part of the share is only for small bodies, so that large ones never keep
 * ordinary calls and callbacks out. A body is never rejected in favour of another body of the same person.
 */
import { BoundReached, PublicError } from '../errors/errors.ts';
import { networkOf } from '../limits/client-network.ts';
import { createRejectionLog, type RejectionLog } from '../limits/rejection-log.ts';
import type { BodyKind, HttpLogger } from './message.ts';

/** Bytes. */
interface BodyShare {
  readonly total: number;
  /** Limit of bodies above `SMALL_BODY_BYTES` together. */
  readonly large: number;
  /** Limit per client network: an IPv4 address, or an IPv6 /64. */
  readonly network: number;
  /** Limit per signed-in person; only uploads have one. */
  readonly person: number;
  /**
   * Milliseconds: a body that received less than `PROGRESS_BYTES` for this long may be rejected for the sake of
   * others.
   */
  readonly slowAfterMs: number;
}

const MIB = 1024 * 1024;

/** An upload is `entering` until it is admitted: while the caller's rights are checked, or while it waits for room. */
export type ShareName = BodyKind | 'entering';

export type BodyShares = Readonly<Record<ShareName, BodyShare>>;

const NO_LIMIT = Number.POSITIVE_INFINITY;

export const BODY_SHARES: BodyShares = {
  // An ordinary call arrives in one packet with its head.
  calls: { total: 48 * MIB, large: 36 * MIB, network: 12 * MIB, person: NO_LIMIT, slowAfterMs: 500 },
  callbacks: { total: 16 * MIB, large: 12 * MIB, network: 6 * MIB, person: NO_LIMIT, slowAfterMs: 500 },
  // A client on a fast line fills the socket as quickly as it is read, and uWebSockets.js stops only at an empty socket,
  // paused or not. So a whole photo may be here before its sender is known.
  entering: {
    total: 32 * MIB,
    large: 32 * MIB,
    network: 28 * MIB,
    person: NO_LIMIT,
    slowAfterMs: 5_000,
  },
  // The largest photo is 25 MiB: two of one person at a time, three of one office. Phones pause for seconds.
  uploads: {
    total: 128 * MIB,
    large: 128 * MIB,
    network: 80 * MIB,
    person: 52 * MIB,
    slowAfterMs: 5_000,
  },
};

/** Memory of a request apart from its body: its head, the objects around it, a socket's buffers. */
export const CONNECTION_BYTES = 16 * 1024;
const SMALL_BODY_BYTES = 64 * 1024;
/** A body that receives this many bytes makes progress; see `RequestBody`. */
export const PROGRESS_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 2;
/** How long an upload may wait, unread, for room. */
const WAIT_MS = 15_000;
const RETRY_WAITING_MS = 250;
/** Uploads of one person that may wait. */
const MOST_WAITING = 20;

interface Scope {
  readonly key: string;
  readonly limit: number;
  /** True when several people share this limit. */
  readonly isShared: boolean;
}

interface Waiter {
  readonly hold: BodyHold;
  readonly bytes: number;
  readonly settle: (error: PublicError | null) => void;
  readonly deadline: number;
}

interface BodyOwner {
  readonly kind: ShareName;
  /** The client's address. */
  readonly address: string;
  /** Null for the body of an unauthenticated caller. */
  readonly person: string | null;
  /** Ends the body, because another body needs its room. */
  readonly giveWay: () => void;
}

interface BodyBudgetOptions {
  readonly logger: Pick<HttpLogger, 'warn'>;
  readonly shares: BodyShares;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonicMs?: () => number;
}

export class BodyBudget {
  readonly #shares: BodyShares;
  readonly monotonicMs: () => number;
  readonly #used = new Map<string, number>();
  /** Incomplete bodies, the one with the oldest progress first: the candidates for rejection, in order. */
  readonly unfinished = new Set<BodyHold>();
  readonly #waiting = new Set<Waiter>();
  #retry: NodeJS.Timeout | null = null;
  readonly #rejectionLog: RejectionLog;

  constructor({ logger, shares, monotonicMs }: BodyBudgetOptions) {
    this.#shares = shares;
    this.monotonicMs = monotonicMs ?? (() => performance.now());
    this.#rejectionLog = createRejectionLog(logger, this.monotonicMs, 'no room for more request bodies');
  }

  open(owner: BodyOwner): BodyHold {
    return new BodyHold(this, owner);
  }

  /** Bytes held of one kind now. */
  used(kind: ShareName): number {
    return this.#used.get(kind) ?? 0;
  }

  /** Adds this many bytes to the hold; returns false, and changes nothing, when there is no room. */
  take(hold: BodyHold, bytes: number): boolean {
    if (!this.#makeRoom(hold, bytes)) return false;
    hold.bytes += bytes;
    this.#add(hold, bytes);
    this.unfinished.add(hold);
    return true;
  }

  /** Queues the hold for room. Resolves with the error when no room came in time. */
  wait(hold: BodyHold, bytes: number): Promise<PublicError | null> {
    const before = [...this.#waiting].filter(
      (waiter) => waiter.hold.owner.person === hold.owner.person,
    ).length;
    if (before >= MOST_WAITING) return Promise.resolve(this.errorFor(hold.owner.kind));
    return new Promise((settle) => {
      this.#waiting.add({ hold, bytes, settle, deadline: this.monotonicMs() + WAIT_MS });
      this.#retry ??= setInterval(() => this.serveWaiting(), RETRY_WAITING_MS);
    });
  }

  giveBack(hold: BodyHold): void {
    this.#add(hold, -hold.bytes);
    hold.bytes = 0;
    this.unfinished.delete(hold);
  }

  serveWaiting(): void {
    const now = this.monotonicMs();
    for (const waiter of this.#waiting) {
      const { hold, bytes, settle, deadline } = waiter;
      const isOver = hold.isAbandoned || this.take(hold, bytes);
      if (!isOver && now < deadline) continue;
      this.#waiting.delete(waiter);
      settle(isOver ? null : this.errorFor(hold.owner.kind));
    }
    if (this.#waiting.size > 0 || this.#retry === null) return;
    clearInterval(this.#retry);
    this.#retry = null;
  }

  /** The error response for a body without room. */
  errorFor(kind: ShareName): PublicError {
    this.#rejectionLog.note(kind, { kind, heldBytes: this.used(kind) });
    return new PublicError('SERVICE_UNAVAILABLE', {
      cause: new BoundReached(`no room for more ${kind}`),
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** The limits that a body counts against. */
  scopesOf({ kind, person }: BodyOwner, network: string): readonly Scope[] {
    const share = this.#shares[kind];
    const scopes = [
      { key: kind, limit: share.total, isShared: true },
      { key: `${kind} network ${network}`, limit: share.network, isShared: true },
    ];
    if (person !== null)
      scopes.push({ key: `${kind} person ${person}`, limit: share.person, isShared: false });
    return scopes;
  }

  #add(hold: BodyHold, bytes: number): void {
    for (const { key } of hold.scopes) {
      const used = (this.#used.get(key) ?? 0) + bytes;
      if (used > 0) this.#used.set(key, used);
      else this.#used.delete(key);
    }
  }

  #makeRoom(hold: BodyHold, bytes: number): boolean {
    const { kind } = hold.owner;
    const isLarge = hold.bytes + bytes > SMALL_BODY_BYTES + CONNECTION_BYTES;
    const leaving = new Set<BodyHold>();
    for (const { key, limit, isShared } of hold.scopes) {
      const most = key === kind && isLarge ? this.#shares[kind].large : limit;
      let missing = (this.#used.get(key) ?? 0) + bytes - most;
      for (const slow of missing > 0 && isShared ? this.#slow(kind) : []) {
        if (slow === hold || !slow.scopes.some((scope) => scope.key === key)) continue;
        leaving.add(slow);
        missing -= slow.bytes;
        if (missing <= 0) break;
      }
      if (missing > 0) return false;
    }
    for (const slow of leaving) slow.giveWay();
    return true;
  }

  *#slow(kind: ShareName): Generator<BodyHold> {
    const since = this.monotonicMs() - this.#shares[kind].slowAfterMs;
    for (const hold of this.unfinished) {
      if (hold.wentOnAt > since) return;
      if (!hold.isHeldBack) yield hold;
    }
  }
}

/** The room that one body holds. */
export class BodyHold {
  readonly #budget: BodyBudget;
  readonly owner: BodyOwner;
  readonly scopes: readonly Scope[];
  /** Changed by the budget only. */
  bytes = 0;
  wentOnAt: number;
  /** True while we do not read the body: then the client is not slow. */
  isHeldBack = false;
  /** True when no body waits for room any more. */
  isAbandoned = false;

  constructor(budget: BodyBudget, owner: BodyOwner) {
    this.#budget = budget;
    this.owner = owner;
    this.scopes = budget.scopesOf(owner, networkOf(owner.address));
    this.wentOnAt = budget.monotonicMs();
  }

  /** Takes room until the hold has this many bytes. Returns the error when there is none. */
  holdAtLeast(bytes: number): PublicError | null {
    const more = bytes - this.bytes;
    if (more <= 0 || this.#budget.take(this, more)) return null;
    return this.#budget.errorFor(this.owner.kind);
  }

  /** Takes this many bytes, and waits a short time for room if necessary. */
  async waitFor(bytes: number): Promise<PublicError | null> {
    return this.#budget.take(this, bytes) ? null : this.#budget.wait(this, bytes);
  }

  /** The body made progress: it becomes the last candidate for rejection. */
  wentOn(): void {
    this.wentOnAt = this.#budget.monotonicMs();
    if (this.#budget.unfinished.delete(this)) this.#budget.unfinished.add(this);
  }

  /** The body is complete: the route has it, and it can no longer be rejected. */
  finished(): void {
    this.#budget.unfinished.delete(this);
  }

  /** Called when the budget needs the room. */
  giveWay(): void {
    this.#budget.giveBack(this);
    this.owner.giveWay();
  }

  /** The client has disconnected; bytes already admitted stay counted until they are released. */
  abandon(): void {
    this.isAbandoned = true;
  }

  release(): void {
    this.isAbandoned = true;
    this.#budget.giveBack(this);
    this.#budget.serveWaiting();
  }
}
